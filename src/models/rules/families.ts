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
    words: words(
      'service microservice gateway worker backend frontend server component controller daemon process application app proxy agent operator scheduler collector exporter manager engine system platform program sidecar processor publisher coordinator orchestrator supervisor receiver dispatcher handler resolver console dashboard ui cli client tool utility',
    ),
    known: [],
  },
  {
    types: words('DATABASE DB DATASTORE DATA_STORE STORAGE STORE'),
    words: words('database db datastore warehouse store storage cache bucket'),
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
  {
    types: words('PERSON USER ROLE ACTOR TEAM'),
    words: words('user administrator admin developer author engineer maintainer owner customer person'),
    known: [],
  },
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
  protocol: words('PROTOCOL STANDARD INTERFACE'),
  event: words('EVENT MESSAGE TOPIC QUEUE STREAM CHANNEL'),
  endpoint: words('ENDPOINT ROUTE OPERATION'),
} as const;
