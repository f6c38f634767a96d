"""`memory_consolidate`: for administrators, sop and cron runs; never for webhooks."""

import pytest

from memory.models import Job
from tests.people import api_for
from tests.tools.calling import names, refused, use

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("run", ["chat", "sop", "cron"])
def test_it_queues_the_job_and_says_which(run, admin, scripted):
    scripted()
    told = use(api_for(admin, run=run), "memory_consolidate", lookback_days=0)
    job = Job.objects.get(uid=told["data"]["job"])
    assert job.payload == {"agent": "default", "days": 0}
    assert str(job.uid) in told["text"]


def test_a_dry_run_only_says_what_it_would_take(admin_api):
    told = use(admin_api, "memory_consolidate", dry_run=True)
    assert (told["data"]["record_count"], told["data"]["file_count"]) == (0, 0)
    assert "30 days" in told["text"]
    assert not Job.objects.exists()


def test_webhooks_and_other_people_may_not(admin, alice_api, scripted):
    scripted()
    for api in (api_for(admin, run="webhook"), alice_api):
        assert "memory_consolidate" not in names(api)
        status, error = refused(api, "memory_consolidate", dry_run=True)
        assert (status, error["code"]) == (403, "forbidden")
        assert error["remedy"]


def test_without_a_model_it_says_so(admin_api):
    status, error = refused(admin_api, "memory_consolidate")
    assert (status, error["code"]) == (503, "model_not_configured")
