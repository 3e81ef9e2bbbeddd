import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { isIP, Socket, type AddressInfo, type LookupFunction } from "node:net";

/** Names that only exist while the trap is set, and the addresses they resolve to. */
const names: Record<string, string[]> = {
  "metadata.google.internal": ["169.254.169.254"],
  "metadata.google.internal.": ["169.254.169.254"],
  "innocent.test": ["169.254.169.254"],
  "ipv6.test": ["fd00:ec2::254"],
  "mapped.test": ["::ffff:169.254.169.254"],
  "mixed.test": ["203.0.113.7", "169.254.169.254"],
};

/** Spellings of the addresses at which clouds serve credentials. */
export const metadataHosts: readonly string[] = [
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "169.254.43518",
  "[fd00:ec2::254]",
  "[::ffff:169.254.169.254]",
  "[::ffff:a9fe:a9fe]",
  "[64:ff9b::a9fe:a9fe]",
  ...Object.keys(names),
];

export interface MetadataTrap {
  /** Connections that reached the trap. */
  readonly connections: number;
  remove(): Promise<void>;
}

interface Target {
  host?: string | undefined;
  port?: number | string | undefined;
  lookup?: LookupFunction | undefined;
}

const isLoopback = (host: string): boolean => ["localhost", "127.0.0.1", "::1"].includes(host);

/** Also resolves the trap's names. */
const withNames =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, callback) => {
    const found = names[host.toLowerCase()];
    if (found === undefined) return lookup(host, options, callback);
    const all = found.map((address) => ({ address, family: isIP(address) }));
    process.nextTick(() =>
      options.all ? callback(null, all) : callback(null, all[0]!.address, all[0]!.family),
    );
  };

/**
 * Redirects every connection of this process that leaves the machine, whatever its client, to a
 * local server that answers like a cloud's metadata service. Names resolve as listed above. Set it
 * before importing the clients to test: they may keep a reference to the resolver.
 */
export async function setMetadataTrap(): Promise<MetadataTrap> {
  const dns = createRequire(import.meta.url)("node:dns") as { lookup: LookupFunction };
  const before = {
    lookup: dns.lookup,
    connect: Object.getOwnPropertyDescriptor(Socket.prototype, "connect")!,
  };
  let connections = 0;
  const resolve = withNames(before.lookup);
  const server = createServer((_request, response) => response.end("credentials"));
  server.on("connection", () => (connections += 1)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const lead = (target: Target): Target => {
    const host = target.host ?? "localhost";
    if (isLoopback(host)) return target;
    const literal = host.replace(/^\[|\]$/g, "");
    if (isIP(literal) !== 0) return { ...target, host: "127.0.0.1", port };
    // The client's own lookup decides first; only addresses that it allows are redirected.
    const lookup: LookupFunction = (name, options, callback) =>
      (target.lookup ?? resolve)(name, options, (fault, ...found) => {
        if (fault) return callback(fault, ...found);
        if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
        else callback(null, "127.0.0.1", 4);
      });
    return { ...target, port, lookup };
  };
  const connect = before.connect.value as (this: Socket, ...call: unknown[]) => Socket;
  dns.lookup = resolve;
  Socket.prototype.connect = function connectTrapped(this: Socket, ...call: unknown[]) {
    const [first, second] = call;
    // Node's own modules pass their arguments as one marked array.
    if (Array.isArray(first)) first[0] = lead(first[0] as Target);
    else if (typeof first === "object" && first !== null) call[0] = lead(first as Target);
    else if (typeof first === "number" && typeof second === "string")
      call.splice(0, 2, lead({ port: first, host: second }));
    return connect.apply(this, call);
  } as typeof Socket.prototype.connect;

  return {
    get connections() {
      return connections;
    },
    async remove() {
      dns.lookup = before.lookup;
      Object.defineProperty(Socket.prototype, "connect", before.connect);
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

interface RedirectingServer {
  url: string;
  requests: number;
  stop(): Promise<void>;
}

/** A server that redirects every request to the metadata service. */
export async function startRedirectingServer(status: number): Promise<RedirectingServer> {
  const server = createServer((_request, response) => {
    started.requests += 1;
    response.writeHead(status, { location: "http://169.254.169.254/latest/meta-data" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const started: RedirectingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return started;
}
