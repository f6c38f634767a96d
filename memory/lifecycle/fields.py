"""What a thing has one of: a port, a version, an owner. And words that tell nothing."""

from dataclasses import dataclass

from memory.lifecycle.vocabulary import words


@dataclass(frozen=True, slots=True)
class Field:
    """A property with one value at a time: its names, and shapes of its values."""

    name: str
    aliases: tuple[str, ...]
    shapes: frozenset[str]


def _field(name: str, shapes: str, *aliases: str) -> Field:
    return Field(name, (name, *aliases), frozenset(shapes.split()))


ADDRESS = "address"
FIELDS = (
    _field(
        ADDRESS,
        "ip host mail",
        *("ip", "ip address", "host", "hostname", "host name", "adresse", "ip-adresse"),
        *("ip adresse", "adresse ip", "dirección", "dirección ip", "indirizzo"),
        *(
            "indirizzo ip",
            "endereço",
            "ipアドレス",
            "アドレス",
            "地址",
            "ip地址",
            "адрес",
        ),
    ),
    _field("port", "count", "puerto", "porta", "poort", "ポート", "端口", "порт"),
    _field(
        "version",
        "version",
        "versión",
        "versione",
        "versão",
        "バージョン",
        "版本",
        "версия",
    ),
    _field("url", "url", "base url", "website"),
    _field(
        "email", "mail", "e-mail", "email address", "e-mail address", "mail address"
    ),
    _field("timeout", "amount", "délai", "タイムアウト", "超时", "超时时间"),
    _field("limit", "amount", "quota", "limite", "límite", "上限"),
    _field("retention", "amount", "retention period", "retention time", "aufbewahrung"),
    _field("interval", "amount", "ttl", "intervall", "intervalle", "intervalo"),
    _field("pool size", "count", "batch size", "cache size", "heap size", "disk size"),
    _field("memory", "amount", "ram"),
    _field("threshold", "amount", "schwellwert", "umbral"),
    _field("budget", "amount", "presupuesto"),
    _field("replica count", "count", "number of replicas"),
    _field("region", "host", "aws region", "región", "région", "regio"),
    _field("default branch", "branch", "main branch", "standardbranch"),
    _field("log level", "level", "loglevel"),
    _field("owner", "person", "product owner", "tech lead", "team lead"),
    _field(
        "deadline",
        "date",
        *("due date", "frist", "date limite", "fecha límite", "締め切り"),
    ),
    _field("release date", "date", "launch date", "go-live date"),
    _field("start time", "clock", "startzeit", "hora de inicio"),
    _field("end time", "clock", "endzeit"),
    _field(
        "time zone",
        "zone",
        *(
            "timezone",
            "zeitzone",
            "fuseau horaire",
            "zona horaria",
            "タイムゾーン",
            "时区",
        ),
    ),
)

GENERIC = words(
    """
    server host machine box service app application system api database cache cluster
    website site project team backend frontend tool job script container vm user users
    customer client request connection default maximum http https tcp thing
    datenbank dienst anwendung benutzer kunde projekt maschine rechner
    serveur service base données application projet utilisateur
    servidor servicio base datos aplicación proyecto usuario
    サーバー サーバ データベース サービス アプリ 服务器 数据库 服务 应用 系统 项目
    """
)
"""Names that say too little: there may be several of them."""

SEVERAL = words(
    """
    replica node worker member peer mirror nameserver resolver dns ntp broker runner
    shard slave secondary standby follower instance fallback alternative alternate spare
    extra knoten spiegel nœud réplica nodo レプリカ ノード 节点 副本
    """
)
"""Things of which there are mostly several, each with an address of its own."""

SAME = {
    "db": "database",
    "postgresql": "postgres",
    "k8s": "kubernetes",
    "prod": "production",
    "stage": "staging",
    "dev": "development",
    "datenbank": "database",
}
"""Short forms, by what they are short for."""

UNSURE = words(
    """
    a an ein eine einen un une una um uma een
    was were been had used formerly previously former once ago yesterday tomorrow will
    shall planned plan plans planning until till since before after during soon later
    then new old next last previous upcoming temporary temporarily
    maybe perhaps probably possibly might may could should would can cannot must think
    believe guess seems apparently allegedly supposedly suggested proposed rumored
    if unless when whenever while except only but or and either however whether
    also too another additional additionally second third other others both well
    every each some any most few several many all one two
    than like similar same as more less least about around approximately roughly
    this that these those it here there i me my mine he she they we us his her their
    your you who which whose where what how why
    says said say told tells claims claimed asked wrote according heard example eg
    today tonight sometimes usually often normally never always
    is are has have does do to from with by
    war waren wurde wurden hatte früher ehemals ehemalige bis seit wird werden morgen
    gestern bald künftig geplant alte alter altes neue neuer neues vorher nachher
    vielleicht wahrscheinlich könnte sollte würde glaube angeblich soll kann muss
    wenn falls sobald auch zusätzlich weitere weiterer zweite andere anderer oder und
    jede jeder einige alle als wie mein meine sein ihre dieser diese dieses ist sind
    etwa ungefähr circa ca
    était fut sera jusque jusqu'à depuis hier demain bientôt ancien ancienne nouveau
    nouvelle peut-être devrait pourrait si quand aussi également autre ou et mon ma son
    sa ce cette ces est sont
    era fue será hasta desde ayer mañana antes antiguo antigua nuevo nueva quizás tal
    debería podría cuando también otro otra además y mi su este esta es son está
    fu sarà fino ieri domani vecchio vecchia nuovo nuova forse dovrebbe anche altro
    oppure mio suo questo questa è sono
    foi até ontem amanhã velho novo nova talvez deveria poderia quando também outro ou
    meu seu é
    voorheen morgen gisteren misschien ook andere mijn zijn
    был была будет до вчера завтра возможно также другой или и если мой
    """
)
"""Words with which a sentence is no plain statement of what holds now."""

UNSURE_RUNS = (
    *(
        "でした",
        "だった",
        "かもしれ",
        "らしい",
        "でしょう",
        "予定",
        "まで",
        "もし",
        "以前",
        "旧",
    ),
    *(
        "新",
        "かつて",
        "も",
        "曾",
        "之前",
        "以前",
        "将",
        "可能",
        "也",
        "还",
        "或",
        "如果",
        "若",
    ),
    *("原", "应该", "计划", "吗", "和", "と", "や", "예정", "도 ", "였", "이전"),
)
"""The same in scripts that are written without spaces."""
