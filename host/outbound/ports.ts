/**
 * Ports that are not for HTTP: services which a forged request could talk to, or whose answers tell
 * what runs on a host.
 */

/** The "bad ports" of the Fetch standard. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10_080,
])

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** What usually listens where, beyond the Fetch standard's list. */
const SERVICES: Readonly<Record<string, readonly number[]>> = {
  'SQL Server': [1433, 1434],
  Oracle: [1521, 1522, 2483, 2484],
  Firebird: [3050],
  MySQL: [3306, 33_060],
  PostgreSQL: [5432, 5433, 6432],
  CouchDB: [5984, 6984],
  Neo4j: [7687],
  Cassandra: [9042, 9142, 9160],
  Elasticsearch: [9200, 9300],
  RethinkDB: [28_015],
  MongoDB: [27_017, 27_018, 27_019, 28_017],
  Redis: [6379, 6380, 16_379, 26_379],
  Memcached: [11_211, 11_214, 11_215],
  AMQP: [5671, 5672, 15_672, 25_672],
  Kafka: [9092, 9093, 9094],
  MQTT: [1883, 8883],
  NATS: [4222],
  Beanstalk: [11_300],
  ActiveMQ: [61_613, 61_616],
  Docker: [2375, 2376, 2377],
  etcd: [2379, 2380],
  ZooKeeper: [2181, 2888, 3888],
  Consul: [8300, 8301, 8302, 8500, 8501, 8600],
  Kubernetes: [6443, 10_250, 10_255, 10_256],
  Salt: [4505, 4506],
  IPMI: [623],
  Java: [1099, 7199, 8009],
  Erlang: [4369],
  Android: [5555],
  SMB: [138, 445],
  rsync: [873],
  iSCSI: [3260],
  git: [9418],
  Subversion: [3690],
  GlusterFS: [24_007],
  Ceph: [3300, 6789],
  RDP: [3389],
  'VNC, WinRM': range(5900, 5999),
  X11: range(6001, 6063),
  'telnet over TLS': [992],
  'global catalogue': [3268, 3269],
  Kerberos: [464],
  RPC: [593],
  'SNMP traps': [162],
  SSDP: [1900],
  'DNS over TLS, mDNS, LLMNR': [853, 5353, 5355],
  SOCKS: [1080],
  'OpenVPN, L2TP': [1194, 1701],
  IRC: [194, 994, 6660, 6661, 6662, 6663, 6664],
}
const SERVICE_PORTS = new Set(Object.values(SERVICES).flat())

/** Whether the Fetch standard blocks the port. */
export const isBadPort = (port: number): boolean => BAD_PORTS.has(port)

/** Whether a service other than HTTP usually listens there, beyond the Fetch standard's list. */
export const isServicePort = (port: number): boolean => SERVICE_PORTS.has(port)
