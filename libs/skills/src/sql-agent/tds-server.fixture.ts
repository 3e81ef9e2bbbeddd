import { createServer, type AddressInfo, type Socket } from "node:net";

/**
 * A stand-in of SQL Server on the wire, from Microsoft's published definition of the protocol
 * ([MS-TDS] v38, sections 2.2.3 for packets, 2.2.6 for requests and 2.2.7 for tokens). It accepts a
 * login without encryption, transactions, and statements, which `answer` replies to.
 */
export interface TdsServer {
  port: number;
  /** What it has received: login, begin, rollback, attention, or the text of a request. */
  received: string[];
  /** Whether the last login declared to read only (fReadOnlyIntent in LOGIN7). */
  hasReadOnlyIntent: boolean;
  connections(): number;
  stop(): Promise<void>;
}

/** Types of packets (2.2.3.1.1). */
const packet = {
  batch: 1,
  rpc: 3,
  reply: 4,
  attention: 6,
  transaction: 14,
  login: 16,
  prelogin: 18,
};

export async function startTdsServer(o: {
  /** An error that logins are refused with. */
  loginError?: Buffer;
  /** The tokens in reply to a request whose text is given; null: none ever comes. */
  answer: (text: string) => Buffer | null;
}): Promise<TdsServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    let buffered = Buffer.alloc(0);
    let message: Buffer[] = [];
    socket.on("data", (chunk) => {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 8 && buffered.length >= buffered.readUInt16BE(2)) {
        const length = buffered.readUInt16BE(2);
        message.push(buffered.subarray(8, length));
        const [type, status] = [buffered[0]!, buffered[1]!];
        buffered = buffered.subarray(length);
        if ((status & 1) === 0) continue;
        const reply = handle(type, Buffer.concat(message));
        message = [];
        if (reply !== null) socket.write(frame(reply));
      }
    });
  });
  const started: TdsServer = {
    port: 0,
    received: [],
    hasReadOnlyIntent: false,
    connections: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };

  function handle(type: number, body: Buffer): Buffer | null {
    const note = (text: string): void => void started.received.push(text);
    if (type === packet.prelogin)
      // VERSION, ENCRYPTION = ENCRYPT_NOT_SUP, TERMINATOR (2.2.6.5).
      return Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 255, 16, 0, 3, 232, 0, 0, 2]);
    if (type === packet.login) {
      note("login");
      started.hasReadOnlyIntent = (body[26]! & 0x20) !== 0;
      return o.loginError ?? Buffer.concat([loginAck(), done()]);
    }
    if (type === packet.attention) {
      note("attention");
      return done(0x20);
    }
    if (type === packet.transaction) {
      const request = body.readUInt16LE(body.readUInt32LE(0));
      note(request === 5 ? "begin" : "rollback");
      const descriptor = [8, 1, 0, 0, 0, 0, 0, 0, 0];
      const change = request === 5 ? [8, ...descriptor, 0] : [10, 0, ...descriptor];
      return Buffer.concat([token(0xe3, Buffer.from(change)), done()]);
    }
    const text = textOf(body);
    note(text);
    return type === packet.batch ? done() : o.answer(text);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  started.port = (server.address() as AddressInfo).port;
  return started;
}

/** The longest text in UTF-16 within a request. */
function textOf(body: Buffer): string {
  const texts = [0, 1].flatMap((shift) => {
    // Node 24 writes past its buffer if it decodes an odd number of bytes from an odd place.
    const even = body.subarray(shift, body.length - ((body.length - shift) % 2));
    return even.toString("utf16le").match(/[\t\n\r -~\u00a0-\u017f]{3,}/g) ?? [];
  });
  const found = texts.reduce(
    (longest, text) => (text.length > longest.length ? text : longest),
    "",
  );
  // The length in front of a parameter, in bytes, may look like a character.
  return found.charCodeAt(0) === (found.length - 1) * 2 ? found.slice(1) : found;
}

function frame(body: Buffer): Buffer {
  const frames: Buffer[] = [];
  const most = 4_088;
  for (let at = 0; at === 0 || at < body.length; at += most) {
    const part = body.subarray(at, at + most);
    const header = Buffer.from([packet.reply, at + most >= body.length ? 1 : 0, 0, 0, 0, 0, 1, 0]);
    header.writeUInt16BE(part.length + 8, 2);
    frames.push(header, part);
  }
  return Buffer.concat(frames);
}

function token(type: number, body: Buffer): Buffer {
  const header = Buffer.from([type, 0, 0]);
  header.writeUInt16LE(body.length, 1);
  return Buffer.concat([header, body]);
}

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntLE(value, 0, bytes);
  return buffer;
};
const short = (text: string): Buffer =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "utf16le")]);
const long = (text: string): Buffer =>
  Buffer.concat([number(text.length, 2), Buffer.from(text, "utf16le")]);

const loginAck = (): Buffer =>
  token(
    0xad,
    Buffer.concat([
      Buffer.from([1, 0x74, 0, 0, 4]),
      short("Microsoft SQL Server"),
      Buffer.from([16, 0, 3, 232]),
    ]),
  );

/** DONE (2.2.7.6), with its status. */
function done(status = 0, type = 0xfd, rows = 0): Buffer {
  return Buffer.concat([
    Buffer.from([type]),
    number(status, 2),
    Buffer.alloc(2),
    number(rows, 6),
    Buffer.alloc(2),
  ]);
}

/** ERROR (2.2.7.10) and the end of the reply. */
export const errorReply = (code: number, severity: number, text: string): Buffer =>
  Buffer.concat([
    token(
      0xaa,
      Buffer.concat([
        number(code, 4),
        Buffer.from([1, severity]),
        long(text),
        short("geheim-server"),
        short(""),
        number(1, 4),
      ]),
    ),
    done(2),
  ]);

/** COLMETADATA (2.2.7.4) and ROWs (2.2.7.19) of numbers (INTN), texts (NVARCHAR) and VARBINARY. */
export function rowsReply(
  columns: [name: string, type: "int" | "text" | "binary"][],
  rows: (number | string | Buffer | null)[][],
): Buffer {
  const types = {
    int: Buffer.from([0x26, 4]),
    text: Buffer.from([0xe7, 0x40, 0x1f, 9, 4, 208, 0, 52]),
    binary: Buffer.from([0xa5, 0x40, 0x1f]),
  };
  const value = (cell: number | string | Buffer | null, type: string): Buffer => {
    if (cell === null) return type === "int" ? Buffer.from([0]) : Buffer.from([255, 255]);
    if (typeof cell === "number") return Buffer.concat([Buffer.from([4]), number(cell, 4)]);
    const bytes = typeof cell === "string" ? Buffer.from(cell, "utf16le") : cell;
    return Buffer.concat([number(bytes.length, 2), bytes]);
  };
  return Buffer.concat([
    Buffer.from([0x81]),
    number(columns.length, 2),
    ...columns.map(([name, type]) =>
      Buffer.concat([Buffer.alloc(4), Buffer.from([9, 0]), types[type], short(name)]),
    ),
    ...rows.map((row) =>
      Buffer.concat([Buffer.from([0xd1]), ...row.map((cell, at) => value(cell, columns[at]![1]))]),
    ),
    done(0x11, 0xff, rows.length),
    Buffer.from([0x79, 0, 0, 0, 0]),
    done(0, 0xfe),
  ]);
}
