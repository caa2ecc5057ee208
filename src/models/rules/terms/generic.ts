// Words that describe and do not name.

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What a page is, not what it is about. */
export const DOCUMENT_WORDS = set(
  'architecture overview introduction guide guides reference references concepts concept tutorial tutorials example examples configuration installation documentation docs doc basics background summary details design faq glossary usage setup walkthrough diagram diagrams internals page section chapter readme components service-list',
);

/** Words by which a text speaks of itself, of how something is or of what can be set; alone they name nothing. */
export const ABSTRACT = set(
  'amount approach article attribute background basics behavior behaviour benefit case caveat change command compatibility concept configuration consideration content default definition design detail diagram difference directory doc documentation error example explanation fact failure faq feature figure file flag folder format functionality glossary goal guide implementation implication information installation internals introduction issue kind limitation list meaning method mode motivation name note number operation option output overview page parameter performance placeholder precedence preparation prerequisite problem purpose question readme reason reference requirement response result scenario section setting setup size status step structure summary term terminology text thing time tutorial type usage value version visibility walkthrough warning way',
);

/** Nouns that say what kind of thing a name is: "the X service", "X pods". */
export const HEADS = set(
  'service services server servers component components process processes instance instances pod pods node nodes cluster clusters container containers daemon daemons replica replicas application applications app apps controller controllers agent agents module modules system database databases db store api apis client clients cli operator operators plugin plugins library libraries framework platform engine broker brokers queue topic gateway proxy scheduler worker workers manager job jobs dashboard ui console registry repository cache sidecar driver drivers exporter collector adapter connector protocol team teams squad event events topics warehouse backend frontend',
);

/** Abbreviations that every text uses and that name nothing by themselves. */
export const INITIALS = set(
  'API APIS ID IDS URL URLS URI CLI CI CD CPU GPU UI UX OS PR MB GB KB TB MIB GIB RAM IO IDE OK RFC SDK CA DB VM IP TTL FAQ PID LTS GA HA DR QPS SLA SLO SLI TCO OOM FIFO LIFO LRU GC NOTE TODO WARNING TIP IMPORTANT INFO CAUTION AND OR NOT YES NO TRUE FALSE NULL GET PUT POST PATCH DELETE HEAD UUID GUID EOF CRUD POC MVP FYI ETA AKA TBD NA TOC PII UTC GMT RW RO IOPS',
);

/** Days and months. */
export const CALENDAR = set(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december mondays tuesdays wednesdays thursdays fridays saturdays sundays',
);

/** Who does something with the software; no part of it. */
export const PEOPLE = set(
  'user users administrator administrators admin admins developer developers operator team teams person people customer customers maintainer maintainers contributor contributors engineer engineers owner owners author authors reader readers community',
);

/** Kinds of component that a text means as one thing without a name of its own. */
export const COMPOUNDS: ReadonlySet<string> = new Set(
  'user interface|web server|web browser|rest api|search engine|proxy server|load balancer|reverse proxy|message queue|message broker|message bus|object storage|object store|blob storage|cloud storage|api server|api gateway|control plane|data plane|identity provider|container runtime|container registry|key-value store|kv store|relational database|service mesh|service registry|job queue|task queue|event bus|event loop|command-line interface|command line interface|web interface|web ui|web app|mobile app|certificate authority|file system|filesystem|distributed filesystem|shared filesystem|local filesystem|connection pool|audit log|package manager|ingress controller|helm chart|docker daemon|content delivery network|in-memory cache|time series database|search index|data warehouse|data lake|sidecar proxy|worker node|write-ahead log|dead letter queue|admin console|metadata store|metadata database|schema registry|secret store|job scheduler|event stream|session store|service discovery|rate limiter|circuit breaker|kubernetes api|kubernetes cluster|container image|image registry|admission webhook|admission controller|custom resource|event queue|background worker|background job|cron job|application server|database server|cache server|long-term storage|persistent storage|backend storage|feature flag|access log'
    .split('|')
    .map((name) => name.replaceAll(/[ -]/g, '')),
);
