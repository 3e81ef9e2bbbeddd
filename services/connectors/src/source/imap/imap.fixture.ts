import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/*
 * A mailbox's server, written from RFC 3501: what a client needs to list folders, and to search and
 * fetch messages by their UIDs.
 */

export interface FixtureMessage {
  uid: number;
  subject: string;
  messageId?: string;
  /** As IMAP writes dates. */
  arrived?: string;
  source?: string;
  /** Instead of the source's length. */
  size?: number;
}
export interface FixtureFolder {
  validity: number;
  messages: FixtureMessage[];
  flags?: string;
}

const arrivedAt = "24-Nov-2025 16:00:00 +0000";

export class ImapFixture {
  readonly folders = new Map<string, FixtureFolder>();
  password = "app password";
  /** Lines that clients sent, without their tags. */
  readonly commands: string[] = [];
  connections = 0;
  /** What is sent in place of the answer to a command; null cuts the connection. */
  readonly answers = new Map<string, ((tag: string) => string) | null>();
  capabilities = "IMAP4rev1";
  greeting = "* OK ready\r\n";
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  async start(): Promise<number> {
    const server = createServer((socket) => this.serve(socket));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.disconnect();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private serve(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket)).on("error", () => socket.destroy());
    socket.write(this.greeting);
    const state: { folder: FixtureFolder | null } = { folder: null };
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const [, tag = "*", line = ""] = /^(\S+) (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        this.commands.push(line);
        const answer = this.answer(tag, line, state);
        if (answer === null) return void socket.destroy();
        socket.write(answer);
        if (/^LOGOUT$/i.test(line)) socket.end();
      }
    });
  }

  private answer(
    tag: string,
    line: string,
    state: { folder: FixtureFolder | null },
  ): string | null {
    const [name = ""] = /^(?:UID )?\w+/i.exec(line) ?? [];
    const given = this.answers.get(name.toUpperCase());
    if (given !== undefined) return given?.(tag) ?? null;
    const ok = (lines: string[] = [], text = "done"): string =>
      [...lines, `${tag} OK ${text}`, ""].join("\r\n");
    switch (name.toUpperCase()) {
      case "CAPABILITY":
        return ok([`* CAPABILITY ${this.capabilities}`]);
      case "LOGIN":
        return line.endsWith(` "${this.password}"`)
          ? ok()
          : `${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`;
      case "LIST":
        return ok(this.list(line));
      case "EXAMINE":
        return this.examine(tag, line, state);
      case "UID SEARCH":
        return ok([`* SEARCH ${search(line, state.folder).join(" ")}`.trimEnd()]);
      case "UID FETCH":
        return ok(fetch(line, state.folder));
      case "LSUB":
      case "NOOP":
      case "LOGOUT":
      case "CLOSE":
        return ok();
      default:
        return `${tag} BAD unknown command\r\n`;
    }
  }

  private list(line: string): string[] {
    const wanted = unquote(/^LIST "" (.*)$/.exec(line)?.[1] ?? "");
    return [...this.folders]
      .filter(([path]) => wanted === "*" || wanted === path)
      .map(([path, { flags = "" }]) => `* LIST (${flags}) "/" "${path.replaceAll("&", "&-")}"`);
  }

  private examine(tag: string, line: string, state: { folder: FixtureFolder | null }): string {
    state.folder = this.folders.get(unquote(line.slice("EXAMINE ".length))) ?? null;
    if (state.folder === null) return `${tag} NO [NONEXISTENT] Unknown mailbox\r\n`;
    const { validity, messages } = state.folder;
    return [
      "* FLAGS (\\Seen)",
      `* ${messages.length} EXISTS`,
      `* OK [UIDVALIDITY ${validity}] valid`,
      `${tag} OK [READ-ONLY] done`,
      "",
    ].join("\r\n");
  }
}

/** Names of folders are in a kind of UTF-7; only its sign is written here. */
const unquote = (text: string): string => text.replace(/^"(.*)"$/, "$1").replaceAll("&-", "&");

/** Ranges of UIDs, days of arrival, and Message-IDs. */
function search(line: string, folder: FixtureFolder | null): number[] {
  const [, first, last] = /\bUID (\d+):(\d+|\*)/.exec(line) ?? [];
  const [, since] = /\bSINCE "?([\w-]+)"?/i.exec(line) ?? [];
  const [, messageId] = /\bHEADER "?message-id"? "?(<[^>]+>)"?/i.exec(line) ?? [];
  return (folder?.messages ?? [])
    .filter(
      ({ uid, arrived = arrivedAt, ...message }) =>
        (first === undefined || uid >= Number(first)) &&
        (last === undefined || last === "*" || uid <= Number(last)) &&
        (since === undefined || Date.parse(arrived) >= Date.parse(`${since} UTC`)) &&
        (messageId === undefined || message.messageId === messageId),
    )
    .map(({ uid }) => uid);
}

function fetch(line: string, folder: FixtureFolder | null): string[] {
  const uids = new Set(
    (/^UID FETCH (\S+)/.exec(line)?.[1] ?? "").split(",").flatMap((range) => {
      const [first, last = first] = range.split(":").map(Number);
      return Array.from({ length: last! - first! + 1 }, (_, n) => first! + n);
    }),
  );
  const [, start, length] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(line) ?? [];
  return (folder?.messages ?? []).flatMap((message, index) => {
    if (!uids.has(message.uid)) return [];
    const { uid, subject, messageId, arrived = arrivedAt, source = "" } = message;
    const literal = (text: string): string => `{${Buffer.byteLength(text)}}\r\n${text}`;
    const body =
      start === undefined
        ? ""
        : ` BODY[]<${start}> ${literal(source.slice(Number(start), Number(start) + Number(length)))}`;
    const from = '(("Ada" NIL "ada" "example.com"))';
    const envelope = `("Mon, 24 Nov 2025 15:59:00 +0000" ${literal(subject)} ${from} ${from} ${from} NIL NIL NIL NIL ${messageId ? `"${messageId}"` : "NIL"})`;
    return [
      `* ${index + 1} FETCH (UID ${uid} RFC822.SIZE ${message.size ?? Buffer.byteLength(source)} INTERNALDATE "${arrived}" ENVELOPE ${envelope}${body})`,
    ];
  });
}
