"""The vocabulary of a made-up organisation that runs its own servers."""


def _split(text: str, separator: str | None = None) -> tuple[str, ...]:
    """Return the entries of a list written over several lines."""
    joined = text.strip().replace("\n", separator or " ")
    return tuple(joined.split(separator))


PEOPLE = _split("""
Anna Bilal Carmen Dmitri Elif Farid Greta Hiroshi Ines Jakob Katya Lamar Mei Nadia Oskar
Priya Quentin Rosa Samir Tomas Ulla Viktor Wanda Xavier Yusuf Zofia Amara Boris Clara
Derek Esther Felix Gloria Hakan Irina Jonas Kemal Lotte Marek Nora Olga Pavel Ruth
Stefan Tamara Uwe Vera Wim Yara Zoltan
""")

SYSTEMS = _split("""
billing checkout ledger mailer gateway scheduler warehouse catalogue inventory payroll
helpdesk intranet registry archive importer exporter dashboard notifier crawler indexer
tokeniser firewall balancer proxy cache queue broker vault monitor collector renderer
planner printer scanner switchboard telephony calendar timesheet badge-reader turnstile
backup-host mirror build-farm staging-cluster data-lake feature-store rate-limiter
session-store search-node edge-router
""")

THINGS = _split(
    """
retention|certificate|password policy|release|migration|replica|disk|timeout|retry limit
invoice|contract|budget|licence|deadline|workshop|audit|handover|rota|incident review
schema|index|partition|snapshot|checksum|access list|webhook|cron job|feature flag
rollback|dashboard|alert threshold|service account|maintenance window|quota|runbook
onboarding guide|travel request|laptop order|meeting room|parking permit|visitor badge
printer driver|VPN profile|mail alias|domain name|load test|penetration test
colour theme
""",
    "|",
)

REASONS = _split(
    """
the disk was nearly full|customers complained about it|the auditors asked for it
the old vendor closed|two nodes went down in one night|the contract ends in spring
nobody used it any more|the numbers did not match|it was slower than before
the new office has no room for it|the team in Lisbon depends on it|legal insisted
the upgrade failed twice|a password had leaked|the support hours were cut
the licence became too expensive|the graphs were wrong for a week|backups took too long
""",
    "|",
)

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

NOTES = (
    "{who} decided that the {thing} of {system} changes on {day}, because {reason}.",
    "The {thing} for {system} is kept at {place}; ask {who} before touching it.",
    "{who} moved {system} to {host}, since {reason}.",
    "{system} needs a new {thing}: ticket {ticket}, owner {who}.",
    "After the outage of {system} {who} wrote a {thing} and sent it to {other}.",
    "{who} prefers short answers about {system} and wants the {thing} in a table.",
    "The {thing} of {system} failed with {error} on {host}.",
    "Release {version} of {system} brings the {thing}; {who} tests it with {other}.",
    "On {day} {who} and {other} agreed to leave the {thing} of {system} as it is.",
    "{project} replaces {system}; {who} leads it, {other} pays for it.",
    "{who} asked {other} whether {project} may use the {thing} of {system}.",
    "The {system} team meets on {day} about {project}, mostly because {reason}.",
    "Limit for {system}: {number} requests a minute, agreed with {other}.",
    "{who} is on holiday until {day}; {other} looks after {system} and {project}.",
)

QUESTIONS = (
    "What did {who} decide about the {thing} of {system}?",
    "why was the {thing} for {system} changed",
    "Who looks after {system} and {project}?",
    "{system} {thing} {who}",
    "When do {who} and {other} talk about {project}?",
    "What does the documentation say about {prose}?",
    "how does {system} deal with {prose}",
)

FOREIGN = (
    "{who} hat die Wartung von {system} auf nächste Woche verschoben ({ticket}).",
    "Für {project} gilt: Rechnungen über {number} Euro gibt {who} frei.",
    "{who} a demandé une sauvegarde de {system} avant la mise à jour {version}.",
    "El equipo de {system} revisa el informe de {project} con {who}.",
    "{who} перенёс сервер {system} на {host}, заявка {ticket}.",
    "{who}将{system}的备份迁移到{host}，工单{ticket}。",
    "{who}さんは{system}のバージョン{version}を来週公開します。",
    "{who} 님이 {system} 서버의 {error} 오류를 확인했습니다.",
)
