// What kinds of things software documents talk about: for each kind the type names a schema may give it, the words
// that end such a name, and names known everywhere. A schema's own words come first; this only fills in.

export interface Family {
  /** Schema types that mean this kind, best first. */
  types: readonly string[];
  /** Last words of names of this kind, lower case, singular. */
  words: readonly string[];
  /** Names of this kind that need no cue, as people write them. */
  known: readonly string[];
}

const words = (list: string): string[] => list.split(' ');
const names = (list: string): string[] => list.split(',');

export const FAMILIES: readonly Family[] = [
  {
    types: words('SERVICE MICROSERVICE APPLICATION APP SYSTEM COMPONENT'),
    words: words('service microservice gateway worker backend frontend server'),
    known: [],
  },
  {
    types: words('DATABASE DB DATASTORE DATA_STORE STORAGE STORE'),
    words: words('database db datastore warehouse'),
    known: names(
      'PostgreSQL,Postgres,MySQL,MariaDB,MongoDB,Redis,SQLite,Cassandra,DynamoDB,Elasticsearch,OpenSearch,ClickHouse,CockroachDB,SQL Server,Snowflake,BigQuery,Neo4j,InfluxDB,Memcached,etcd,TimescaleDB,Couchbase,CouchDB,Firestore,Redshift,ScyllaDB,Amazon S3',
    ),
  },
  {
    types: words('QUEUE TOPIC STREAM BROKER MESSAGE_BROKER MESSAGE_QUEUE CHANNEL'),
    words: words('queue topic stream broker'),
    known: [],
  },
  {
    types: words('BROKER MESSAGE_BROKER QUEUE STREAM SERVICE SYSTEM'),
    words: ['broker'],
    known: names('Kafka,Apache Kafka,RabbitMQ,NATS,Amazon SQS,Apache Pulsar,ActiveMQ,Amazon Kinesis'),
  },
  {
    types: words('PROTOCOL STANDARD INTERFACE'),
    words: ['protocol'],
    known: names(
      'HTTP,HTTPS,HTTP/2,HTTP/3,gRPC,GraphQL,WebSocket,WebSockets,MQTT,AMQP,TCP,UDP,TLS,mTLS,SSH,SMTP,IMAP,OAuth,OAuth 2.0,OAuth2,OIDC,OpenID Connect,SAML,LDAP,SFTP,QUIC,SOAP,JSON-RPC,STOMP,REST',
    ),
  },
  {
    types: words('TEAM SQUAD GROUP DEPARTMENT ORGANIZATION ORGANISATION'),
    words: words('team squad guild tribe'),
    known: [],
  },
  { types: words('EVENT MESSAGE'), words: ['event'], known: [] },
  { types: words('API ENDPOINT INTERFACE'), words: words('api endpoint'), known: [] },
  {
    types: words('LIBRARY PACKAGE MODULE FRAMEWORK SDK DEPENDENCY'),
    words: words('library package module framework sdk'),
    known: [],
  },
  {
    types: words('LANGUAGE PROGRAMMING_LANGUAGE'),
    words: [],
    known: names('TypeScript,JavaScript,Python,Kotlin,Golang,Ruby,Scala,Elixir,Haskell'),
  },
  { types: words('PERSON USER ROLE ACTOR'), words: [], known: [] },
];

/** Kinds that manifests name directly; the first that the schema has is used. */
export const MANIFEST_TYPES = {
  service: words('SERVICE MICROSERVICE APPLICATION APP SYSTEM COMPONENT'),
  database: words('DATABASE DB DATASTORE DATA_STORE STORAGE STORE'),
  package: words('PACKAGE LIBRARY MODULE DEPENDENCY FRAMEWORK COMPONENT'),
  api: words('API ENDPOINT INTERFACE SERVICE'),
  queue: words('QUEUE TOPIC STREAM BROKER MESSAGE_BROKER CHANNEL SERVICE'),
  team: words('TEAM SQUAD GROUP DEPARTMENT ORGANIZATION'),
  concept: words('CONCEPT TERM IDEA'),
} as const;

/** Known names that are also ordinary words or initials: these count only as spelled. */
export const EXACT_CASE = new Set([
  'rest',
  'soap',
  'nats',
  'tls',
  'tcp',
  'udp',
  'ssh',
  'oauth',
  'ruby',
  'python',
  'scala',
]);

/** Words that stand before a type word without naming anything: "this service", "a new database". */
export const GENERIC = new Set(
  words(
    'a an the this that these those each every any all some no one two three both either neither another other same such my our your its their his her which what whose new old existing main primary secondary single central shared common different separate given own whole entire first second third last next previous current default internal external remote local downstream upstream legacy modern actual real underlying backing dedicated managed hosted cloud web many several few most more of in on at to for from by with and or but as is are was were be been being if when where while how than then so not only just also very via per into over under between through during before after without within using called named relational distributed embedded in-memory document key-value graph vector production staging test development target source public private customer user client server data side third-party open-source stateless stateful small large big key core critical reliable fast simple full following corresponding matching resulting remaining running respective particular specific certain relevant appropriate original destination',
  ),
);
