from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="embedding",
            name="words",
            field=models.BinaryField(
                default=b"", help_text="The signs of its words' vectors: memory.likeness."
            ),
        ),
    ]
