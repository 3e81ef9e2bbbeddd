import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Forwards connections to a server until it is cut. */
export interface TcpProxy {
  url: string;
  /** Refuses new connections and breaks open ones. */
  cut(): Promise<void>;
  /** Accepts connections but forwards nothing, like a server that hangs. */
  hang(): Promise<void>;
  restore(): Promise<void>;
}

/** A proxy in front of an HTTP server on this machine. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const forward = (socket: Socket): void => {
    keep(socket);
    const onward = connect(Number(port), hostname);
    keep(onward);
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
  };
  let server: Server | null = null;
  let ownPort = 0;
  const close = async (): Promise<void> => {
    const old = server;
    server = null;
    if (old === null) return;
    const closed = once(old, "close");
    old.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const listen = async (onConnection: (socket: Socket) => void): Promise<void> => {
    await close();
    server = createServer(onConnection).listen(ownPort, "127.0.0.1");
    await once(server, "listening");
    ownPort = (server.address() as AddressInfo).port;
  };
  await listen(forward);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    cut: close,
    hang: () => listen(keep),
    restore: () => listen(forward),
  };
}
