import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A proxy for CONNECT, as companies have them. */
export interface ConnectProxy {
  /** Host and port, without scheme. */
  readonly address: string;
  /** What it was asked to connect to, with the header `proxy-authorization`. */
  readonly asked: { target: string; authorization: string | undefined }[];
  /** What it answers instead of connecting, by target; undefined: it connects. */
  answer: (target: string) => number | undefined;
  /** Where it connects to, as `host:port`; unless set, to the target. */
  redirect: ((target: string) => string) | null;
  close(): Promise<void>;
}

/** @param tls certificate and key; without them, the proxy is spoken to in plain HTTP */
export async function startConnectProxy(tls?: {
  cert: string;
  key: string;
}): Promise<ConnectProxy> {
  const server: Server = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const proxy: ConnectProxy = {
    address: "",
    asked: [],
    answer: () => undefined,
    redirect: null,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  server.on("connect", (request, socket) => {
    const client = keep(socket as Socket);
    const target = request.url ?? "";
    proxy.asked.push({ target, authorization: request.headers["proxy-authorization"] });
    const status = proxy.answer(target);
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(
      proxy.redirect?.(target) ?? target,
    )!;
    const onward = keep(connect(Number(port), host));
    onward.on("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    onward.on("close", () => client.destroy());
    client.on("close", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(proxy, { address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}
