"""Known errors of tools: what they look like, and what helps. One table, each tried.

The first that fits counts. A pattern with no hint is a fault that an agent cannot mend:
it is noted for those who can, and the agent is told nothing.
"""

import re
from dataclasses import dataclass

DATABASE = frozenset({"db_query", "db_analyze"})
MESSAGES = frozenset({"message", "notify"})
ALL: frozenset[str] = frozenset()
OTHERS = frozenset({"gitlab", "http_request", "mcp", "uptrace_query", "zabbix_query"})
TOOLS = DATABASE | MESSAGES | OTHERS


@dataclass(frozen=True, slots=True)
class Pattern:
    """An error of some tools; `hint` takes the named groups of `error` by format.

    `example` is such an error, `hinted` a piece of what it is answered with.
    """

    name: str
    tools: frozenset[str]
    """Empty: any tool."""
    error: re.Pattern[str]
    hint: str
    example: str
    hinted: str = ""


def _pattern(
    name: str,
    tools: frozenset[str],
    error: str,
    hint: str,
    *,
    example: str,
    hinted: str = "",
) -> Pattern:
    return Pattern(name, tools, re.compile(error, re.IGNORECASE), hint, example, hinted)


_NAME, _OTHER, _THIRD = (
    rf"""["'`\[]?(?P<{group}>[\w$-](?:[\w.$-]{{0,118}}[\w$-])?)["'`\]]?"""
    for group in ("name", "other", "third")
)
"""What the error names, in an alternative each."""

BEYOND_THE_AGENT = (
    _pattern(
        "network",
        ALL,
        r"\b(?:connection (?:refused|reset|aborted|closed)|econn(?:refused|reset)"
        r"|no route to host|network is unreachable|host is down|broken pipe"
        r"|name or service not known|temporary failure in name resolution|enotfound"
        r"|getaddrinfo|could not (?:connect|translate host name)|eai_again"
        r"|failed to establish a new connection|server has gone away)\b",
        "",
        example="psycopg.OperationalError: connection refused (10.0.4.12:5432)",
    ),
    _pattern(
        "timeout",
        ALL,
        r"\b(?:timed? ?out|etimedout|deadline exceeded|gateway time-?out)\b",
        "",
        example="httpx.ReadTimeout: The read operation timed out",
    ),
    _pattern(
        "credentials",
        ALL,
        r"\b(?:(?:http|status|error|code)[ :=]{1,3}401|unauthori[sz]ed"
        r"|authentication (?:failed|required)|invalid_grant"
        r"|(?:invalid|bad|expired|revoked|missing) (?:api.?key|token|credentials?"
        r"|password)|token (?:has )?(?:expired|is invalid|was revoked)"
        r"|password authentication failed|access denied for user|not logged in"
        r"|login failed)\b",
        "",
        example="HTTP 401 Unauthorized",
    ),
    _pattern(
        "login page",
        ALL,
        r"<(?:title|h1|form|input)\b[^>]{0,200}>?[^<]{0,80}"
        r"(?:log ?in|sign ?in|password|anmelden|einloggen)",
        "",
        example="<html><head><title>Sign in - GitLab</title></head>",
    ),
    _pattern(
        "certificate",
        ALL,
        r"\b(?:certificate verify failed|self[- ]signed certificate|ssl(?:error"
        r"|v3_alert)|tls handshake)\b",
        "",
        example="SSLError: certificate verify failed: self-signed certificate",
    ),
    _pattern(
        "server fault",
        ALL,
        r"\b(?:50[023]\b.{0,40}(?:error|gateway|unavailable)|internal server error"
        r"|bad gateway|service unavailable|out of memory|disk (?:is )?full"
        r"|no space left on device|too many (?:connections|clients))",
        "",
        example="502 Bad Gateway",
    ),
)

FOR_THE_AGENT = (
    # --- queries to databases ---
    _pattern(
        "unknown column",
        DATABASE,
        r"(?:unknown column|no such column:?|invalid column name|invalid identifier"
        rf"|missing columns:?)\s+{_NAME}"
        rf"|column {_OTHER} (?:of relation \S+ )?does not exist"
        rf"|unknown (?:expression )?identifier:? {_THIRD}",
        "There is no column {name}. Look at the schema of the tables in this query"
        " first, then name a column that is there.",
        example='ERROR: column "created" does not exist',
        hinted="no column `created`",
    ),
    _pattern(
        "unknown table",
        DATABASE,
        rf"(?:no such table:?|unknown table(?: expression identifier)?"
        rf"|invalid object name) {_NAME}"
        rf"|(?:table|relation) {_OTHER} does(?: not|n't) exist",
        "There is no table {name}. List the tables of this data source first; a schema"
        " in front of the name may be missing.",
        example='relation "order" does not exist',
        hinted="no table `order`",
    ),
    _pattern(
        "ambiguous column",
        DATABASE,
        rf"(?:column (?:reference )?)?{_NAME} (?:in \S+ (?:clause )?)?is ambiguous"
        rf"|ambiguous column name:? {_OTHER}",
        "More than one table of the query has {name}. Put the table's name or alias in"
        " front of it.",
        example='column reference "id" is ambiguous',
        hinted="more than one table",
    ),
    _pattern(
        "grouping",
        DATABASE,
        r"must appear in the group by|not in (?:group by|aggregate)|only_full_group_by"
        r"|not under aggregate function",
        "Every column that is selected without an aggregate belongs into GROUP BY.",
        example='column "t.day" must appear in the GROUP BY clause or be used in an'
        " aggregate function",
        hinted="GROUP BY",
    ),
    _pattern(
        "read only",
        DATABASE,
        r"read-?only (?:transaction|database|mode|sql|connection)"
        r"|only select (?:queries|statements)|cannot execute \w+ in a read",
        "This data source can only be read. Ask with SELECT, and leave changes to a"
        " person.",
        example="cannot execute UPDATE in a read-only transaction",
        hinted="only be read",
    ),
    _pattern(
        "types that do not match",
        DATABASE,
        r"operator does not exist|invalid input syntax for (?:type )?\w+"
        r"|type mismatch|cannot (?:be )?cast|illegal types? of argument"
        r"|conversion failed when converting",
        "The types of two sides do not match. Look up the column's type in the schema,"
        " and cast the value to it.",
        example="operator does not exist: text = integer",
        hinted="cast",
    ),
    _pattern(
        "unknown function",
        DATABASE,
        rf"(?:no such function:?|unknown function)\s+{_NAME}"
        rf"|function {_OTHER}\(?.{{0,80}} does not exist",
        "This database has no function {name}. Use one of its own dialect.",
        example="function date_format(timestamp, unknown) does not exist",
        hinted="no function `date_format`",
    ),
    _pattern(
        "syntax",
        DATABASE,
        r"syntax error|error in your sql syntax|incorrect syntax near"
        r"|you have an error in your",
        "The query is not valid in this database's dialect. Check quoting, commas and"
        " LIMIT around the place that the error names.",
        example='syntax error at or near "FROM"',
        hinted="dialect",
    ),
    _pattern(
        "unknown data source",
        DATABASE,
        rf"(?:unknown|no such) (?:data ?source|database):? {_NAME}"
        rf"|(?:data ?source|database) {_OTHER}"
        r" (?:is not configured|not found|does not exist)",
        "There is no data source {name}. Use one of those that are configured, as they"
        " are listed at the beginning of the conversation.",
        example="unknown datasource: billing",
        hinted="no data source `billing`",
    ),
    # --- traces ---
    _pattern(
        "uptrace attribute",
        frozenset({"uptrace_query"}),
        rf"(?:unknown|no such|invalid) (?:attribute|attr|column|field|metric)[: ]+"
        rf"{_NAME}",
        "Traces have no attribute {name}. List the attributes first; names are written"
        " with dots or underscores as they are stored there.",
        example='unknown attribute "http_status"',
        hinted="no attribute `http_status`",
    ),
    _pattern(
        "uptrace query",
        frozenset({"uptrace_query"}),
        r"(?:can'?t|cannot|could not) parse|unexpected (?:token|char)|syntax",
        "The query is not valid UQL: `group by <attribute> | <aggregate>`, with filters"
        " after `where`.",
        example='can\'t parse query: unexpected token "select"',
        hinted="group by",
    ),
    _pattern(
        "time range",
        frozenset({"uptrace_query", "zabbix_query"}),
        r"time[_ ]?(?:range|gte|lt|from|till)\b.{0,60}(?:required|invalid|missing|large"
        r"|long)|(?:invalid|bad) (?:date|time)",
        "The times are missing or not valid. Give both ends, as 2026-03-27T00:00:00Z.",
        example="time_gte is required",
        hinted="both ends",
    ),
    # --- Zabbix, GitLab, MCP ---
    _pattern(
        "zabbix parameter",
        frozenset({"zabbix_query"}),
        r"invalid params|invalid parameter [\"']?(?P<name>[\w/]{1,80})",
        "The API does not take these parameters. Check the method's own ones: filters"
        " go into `filter` or `search`, and ids are strings.",
        example='Invalid params. Invalid parameter "/1/hostids"',
        hinted="filter",
    ),
    _pattern(
        "zabbix host",
        frozenset({"zabbix_query"}),
        r"no permissions to referred object|host .{0,80}(?:not found|does not exist)",
        "No such host is visible. Look hosts up by name with host.get and `search`"
        " first, then use the id.",
        example="No permissions to referred object or it does not exist!",
        hinted="host.get",
    ),
    _pattern(
        "gitlab project",
        frozenset({"gitlab"}),
        r"404 (?:project|not found)|project .{0,80}not found",
        "There is no such project, or it is not visible here. Search projects by name,"
        " and use the numeric id or the full path.",
        example="404 Project Not Found",
        hinted="numeric id",
    ),
    _pattern(
        "gitlab refused",
        frozenset({"gitlab"}),
        r"403 forbidden|insufficient_scope",
        "This may not be done with the token of this tool. Do not try again; say"
        " what is missing.",
        example="403 Forbidden: insufficient_scope",
        hinted="Do not try again",
    ),
    _pattern(
        "gitlab ref",
        frozenset({"gitlab"}),
        r"(?:branch|ref|reference|file|commit|tree)\b.{0,80}"
        r"(?:not found|does not exist|is invalid)",
        "There is no such branch, commit or file. List the branches, or the tree at the"
        " default branch, and take a name from there.",
        example="404 File Not Found",
        hinted="default branch",
    ),
    _pattern(
        "mcp tool",
        frozenset({"mcp"}),
        rf"(?:unknown|no such) tool:? {_NAME}|tool {_OTHER}"
        r" (?:not found|does not exist|is unknown)",
        "The server has no tool {name}. List its tools first.",
        example="Unknown tool: search_issues",
        hinted="no tool `search_issues`",
    ),
    _pattern(
        "mcp arguments",
        frozenset({"mcp"}),
        r"-32602|invalid (?:params|arguments)|validation error|required property"
        r"|missing required|additional properties",
        "The arguments do not fit the tool's schema. Read the schema in the list of"
        " tools, and send exactly its fields.",
        example="MCP error -32602: Invalid arguments: 'query' is a required property",
        hinted="schema",
    ),
    _pattern(
        "mcp server",
        frozenset({"mcp"}),
        rf"(?:unknown|no such) (?:mcp )?server:? {_NAME}"
        rf"|server {_OTHER} (?:not found|is not configured)",
        "There is no server {name}. Use one that is configured.",
        example="unknown server: jira",
        hinted="no server `jira`",
    ),
    # --- HTTP and messages ---
    _pattern(
        "http body",
        frozenset({"http_request"}),
        r"\b(?:400|415|422)\b|malformed json|json (?:parse|decode)|unsupported media",
        "The server does not take the request as it is. Send valid JSON with"
        " `Content-Type: application/json`, and check the fields' names and types.",
        example="422 Unprocessable Entity",
        hinted="Content-Type",
    ),
    _pattern(
        "http method",
        frozenset({"http_request"}),
        r"\b405\b|method not allowed",
        "The address does not take this method. Its `Allow` header names those that it"
        " does.",
        example="405 Method Not Allowed",
        hinted="Allow",
    ),
    _pattern(
        "http not found",
        frozenset({"http_request"}),
        r"\b(?:404|410)\b|not found",
        "Nothing is at this address. Check path and version against the documentation;"
        " do not guess further ones.",
        example="404 Not Found",
        hinted="address",
    ),
    _pattern(
        "http address",
        frozenset({"http_request"}),
        r"(?:invalid|unsupported|missing|no) (?:url|scheme|schema|protocol)",
        "This is no full address. Begin it with https:// or http://.",
        example="Invalid URL 'example.org/api': No scheme supplied",
        hinted="https://",
    ),
    _pattern(
        "http too many",
        frozenset({"http_request", "gitlab"}),
        r"\b429\b|too many requests|rate limit",
        "These were too many requests. Wait as long as `Retry-After` says, and ask for"
        " more at a time.",
        example="429 Too Many Requests",
        hinted="Retry-After",
    ),
    _pattern(
        "message recipient",
        MESSAGES,
        r"(?:chat|channel|user|recipient|peer|room|contact)(?:_id\b|\b|_).{0,60}"
        r"(?:not[ _]found|unknown|invalid|does not exist|required)"
        r"|(?:unknown|no such|missing) (?:chat|channel|recipient|target|user)",
        "There is no such recipient. Answer where the message came from, or take the id"
        " of a channel that is configured.",
        example="Bad Request: chat not found",
        hinted="no such recipient",
    ),
    _pattern(
        "message length",
        MESSAGES,
        r"(?:message|text|content|caption)\b.{0,40}(?:too long|exceeds|at most)"
        r"|msg_too_long|must be \d+ or fewer",
        "The message is too long for the channel. Send it in parts, or shorten it.",
        example="Bad Request: message is too long",
        hinted="parts",
    ),
    _pattern(
        "message markup",
        MESSAGES,
        r"can'?t parse entities|unsupported (?:start )?tag|markdown|invalid_blocks",
        "The channel does not take this markup. Close every mark, escape special"
        " characters, or send plain text.",
        example="Bad Request: can't parse entities",
        hinted="plain text",
    ),
    _pattern(
        "message empty",
        MESSAGES,
        r"(?:message|text|content)\b.{0,30}(?:is empty|must be non-empty|required)"
        r"|no_text|empty message",
        "The message has no text. Put it into the tool's text field.",
        example="Bad Request: message text is empty",
        hinted="no text",
    ),
)
PATTERNS = (*BEYOND_THE_AGENT, *FOR_THE_AGENT)
