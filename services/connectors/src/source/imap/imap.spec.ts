import { createContentClient } from "@carrel/egress";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { listAll, readFetched } from "../../../test/fixture-server.ts";
import { connector } from "./imap.connector.ts";
import { ImapFixture, type FixtureMessage } from "./imap.fixture.ts";

const message = (uid: number, more: Partial<FixtureMessage> = {}): FixtureMessage => ({
  uid,
  subject: `Message ${uid}`,
  messageId: `<${uid}@example.com>`,
  source: `Subject: Message ${uid}\r\n\r\nText ${uid}`,
  ...more,
});

describe("a mailbox", () => {
  let mailbox: ImapFixture;
  let port: number;
  let abort: AbortController;
  beforeEach(async () => {
    mailbox = new ImapFixture();
    mailbox.folders.set("INBOX", { validity: 7, messages: [message(1), message(4)] });
    port = await mailbox.start();
    abort = new AbortController();
  });
  afterEach(async () => {
    abort.abort(new Error("the test is over"));
    await mailbox.stop();
  });

  const settings = (more: object = {}) =>
    connector.settings.parse({ host: "127.0.0.1", port, security: "none", ...more });
  const context = (allow = ["127.0.0.1"]) => ({
    content: createContentClient({ allow }),
    signal: abort.signal,
  });
  const open = (more: object = {}, password = mailbox.password, allow?: string[]) =>
    connector.open(settings(more), { user: "ada", password }, context(allow));
  const list = async (more: object = {}) => listAll(await open(more));
  const titles = async (more: object = {}) => (await list(more)).map(({ title }) => title);

  it("lists messages, the newest first, and reads them as they were sent", async () => {
    const source = await open();
    const [newest, oldest] = await listAll(source);
    expect([newest?.title, oldest?.title]).toEqual(["Message 4", "Message 1"]);
    const fetched = await source.fetch(newest!.item, null);
    expect(fetched).toMatchObject({
      filename: "Message 4.eml",
      mime: "message/rfc822",
      source: { connector: "imap", reference: "127.0.0.1/INBOX;UIDVALIDITY=7/;UID=4" },
      metadata: { title: "Message 4", docAuthor: "Ada", published: "2025-11-24T15:59:00.000Z" },
    });
    expect(await readFetched(fetched)).toBe("Subject: Message 4\r\n\r\nText 4");
    expect(mailbox.connections).toBe(1);
    expect(mailbox.commands.filter((line) => /^(SELECT|STORE|UID STORE)/.test(line))).toEqual([]);
  });

  it("reads the chosen folders, or all but drafts, spam and trash, since a day", async () => {
    mailbox.folders
      .get("INBOX")!
      .messages.push(message(5, { arrived: "01-Jan-2026 08:00:00 +0000" }));
    mailbox.folders.set("Work/R&D", {
      validity: 1,
      messages: [message(1, { messageId: "<w@x>" })],
    });
    mailbox.folders.set("Bin", { validity: 1, flags: "\\Trash", messages: [message(8)] });
    mailbox.folders.set("Work", { validity: 1, flags: "\\Noselect", messages: [] });
    expect(await titles({ since: "2026-01-01" })).toEqual(["Message 5"]);
    expect(await titles({ folders: [] })).toEqual([
      ...["Message 5", "Message 4", "Message 1"],
      "Message 1",
    ]);
    expect(
      await connector.choices!(
        "folders",
        settings(),
        { user: "ada", password: mailbox.password },
        context(),
      ),
    ).toEqual(["INBOX", "Bin", "Work/R&D"]);
    await expect((await open({ folders: "Nowhere" })).check()).rejects.toMatchObject({
      code: "source.mail-folder-missing",
      params: { folder: "Nowhere" },
    });
  });

  it("knows a message again that was moved, or whose folder got other numbers", async () => {
    const folders = ["INBOX", "Archive"];
    mailbox.folders.set("Archive", { validity: 1, messages: [] });
    const before = await list({ folders });
    const inbox = mailbox.folders.get("INBOX")!;
    mailbox.folders.set("Archive", { validity: 1, messages: [{ ...message(4), uid: 90 }] });
    mailbox.folders.set("INBOX", { validity: 8, messages: [{ ...inbox.messages[0]!, uid: 3 }] });
    const source = await open({ folders });
    const after = await listAll(source);
    expect(after.map(({ externalId }) => externalId).toSorted()).toEqual(
      before.map(({ externalId }) => externalId).toSorted(),
    );
    // Listed before, fetched after.
    expect(await readFetched(await source.fetch(before[1]!.item, null))).toContain("Text 1");
    await expect(source.fetch(before[0]!.item, null)).rejects.toMatchObject({
      code: "source.missing",
    });
  });

  it("takes no message for another one that only names the same Message-ID", async () => {
    const [mine] = await list();
    const { messages } = mailbox.folders.get("INBOX")!;
    messages.push(
      message(5, { messageId: "<4@example.com>", arrived: "25-Nov-2025 00:00:00 +0000" }),
      message(6, { messageId: "" }),
      message(7, { messageId: "" }),
    );
    const ids = (await list()).map(({ externalId }) => externalId);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toContain(mine!.externalId);
  });

  it("loses messages that were deleted, and refuses those that are too large", async () => {
    const { messages } = mailbox.folders.get("INBOX")!;
    messages.push(
      message(5, { size: 2_000_000 }),
      message(6, { source: "x".repeat(1_000_100), size: 9 }),
    );
    const source = await open({ maxMegabytes: 1 });
    const items = await listAll(source);
    expect(items.map(({ skip }) => skip?.code)).toEqual([
      undefined,
      "source.file-too-large",
      undefined,
      undefined,
    ]);
    expect(await readFetched(await source.fetch(items[0]!.item, null))).toBe(
      "source.file-too-large",
    );
    messages.splice(1, 1);
    await expect(source.fetch(items[2]!.item, null)).rejects.toMatchObject({
      code: "source.missing",
    });
  });

  it("lists 10,000 messages in pages that another process can continue", async () => {
    mailbox.folders.get("INBOX")!.messages = Array.from({ length: 10_000 }, (_, n) =>
      message(n + 1),
    );
    const found = new Set<string>();
    let cursor: string | null = null;
    let pages = 0;
    do {
      // As if another one went on now and then.
      const source = await open();
      for (let turn = 0; turn < 5 && (turn === 0 || cursor !== null); turn += 1) {
        const page = await source.list(cursor);
        for (const { externalId } of page.items) found.add(externalId);
        cursor = page.next;
        pages += 1;
      }
    } while (cursor !== null);
    expect([found.size, pages]).toEqual([10_000, 20]);
  });

  it("says that it isn't all if the server tells fewer messages, or has too many folders", async () => {
    expect(await (await open()).list(null)).not.toHaveProperty("isPartial");
    mailbox.answers.set("UID SEARCH", (tag) => `* SEARCH 1 3 4\r\n${tag} OK done\r\n`);
    expect(await (await open()).list(null)).toMatchObject({ items: [{}, {}], isPartial: true });
    mailbox.answers.clear();
    for (let n = 1; n <= 1_000; n += 1)
      mailbox.folders.set(`Folder ${n}`, { validity: 1, messages: [] });
    const source = await open({ folders: [] });
    const first = await source.list(null);
    expect(first).toMatchObject({ items: [{}, {}], isPartial: true });
    expect(JSON.parse(first.next!).folders).toHaveLength(999);
    expect(await source.list(first.next)).not.toHaveProperty("isPartial");
  });

  it("begins a folder again that got other numbers while it was listed", async () => {
    const inbox = mailbox.folders.get("INBOX")!;
    inbox.messages = Array.from({ length: 600 }, (_, n) => message(n + 1));
    const { next } = await (await open()).list(null);
    inbox.validity = 8;
    expect((await (await open()).list(next)).items).toHaveLength(500);
  });

  it("gives up on a folder that gets other numbers each time", async () => {
    const inbox = mailbox.folders.get("INBOX")!;
    inbox.messages = Array.from({ length: 501 }, (_, n) => message(n + 1));
    const listNext = async (cursor: string | null): Promise<string | null> => {
      inbox.validity += 1;
      return (await (await open()).list(cursor)).next;
    };
    let cursor: string | null = null;
    for (let pages = 0; pages < 6; pages += 1) cursor = await listNext(cursor);
    await expect(listNext(cursor)).rejects.toMatchObject({ code: "egress.unexpected-response" });
  });

  it("connects again when the server has closed the connection", async () => {
    const source = await open();
    const [listed] = await listAll(source);
    mailbox.disconnect();
    const fetched = await source
      .fetch(listed!.item, null)
      .catch(() => source.fetch(listed!.item, null));
    expect(await readFetched(fetched)).toContain("Text 4");
  });

  it.each([
    ["a wrong password", "source.sign-in-refused", { password: "wrong" }],
    [
      "a sign-in that is refused for now",
      "source.busy",
      { LOGIN: (tag: string) => `${tag} NO [UNAVAILABLE] Later\r\n` },
    ],
    [
      "too many connections",
      "source.busy",
      { LOGIN: (tag: string) => `${tag} NO [ALERT] Too many simultaneous connections.\r\n` },
    ],
    ["a connection that is cut", "egress.unreachable", { "UID FETCH": null }],
    [
      "an answer without end",
      "egress.unexpected-response",
      { "UID SEARCH": () => `* SEARCH ${"1 ".repeat(6_000_000)}` },
    ],
    [
      "a search that is refused",
      "egress.unexpected-response",
      { "UID SEARCH": (tag: string) => `${tag} NO no\r\n` },
    ],
    ["something else", "egress.unreachable", { greeting: "* BYE busy\r\n" }],
  ] as const)(
    "tells of %s",
    async (
      _what,
      code,
      {
        password,
        greeting,
        ...answers
      }: {
        password?: string;
        greeting?: string;
        [command: string]: unknown;
      },
    ) => {
      for (const [command, answer] of Object.entries(answers))
        mailbox.answers.set(command, answer as never);
      if (greeting !== undefined) mailbox.greeting = greeting;
      const fault = await (await open({}, password)).list(null).then(
        () => null,
        (error: unknown) => error,
      );
      expect(fault).toMatchObject({ code });
      expect(JSON.stringify(fault) + String((fault as Error).stack)).not.toMatch(
        /wrong|app password/,
      );
    },
  );

  it("survives hostile messages", async () => {
    mailbox.folders.get("INBOX")!.messages = [
      message(1, {
        subject: "<script>\u0000../../etc/passwd\r\n* BYE\u202e".replace("\u0000", "\u0001"),
        messageId: `<${"x".repeat(5_000)}@x>`,
        source: "",
      }),
      message(2, { subject: " ".repeat(2_000), arrived: "99-Foo-2025 99:99:99 +9999" }),
      message(3, { subject: "=?utf-8?B?R3LDvMOfZQ==?=" }),
    ];
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ title }) => title)).toEqual([
      "Grüße",
      "Mail without a subject",
      "<script> ../../etc/passwd * BYE\u202e",
    ]);
    expect(await readFetched(await source.fetch(items[2]!.item, null))).toBe("source.item-empty");
    expect(await source.fetch(items[1]!.item, null)).toMatchObject({
      kind: "document",
      filename: "Mail without a subject.eml",
    });
  });

  it("goes only where pages may be fetched from, and asks for encryption elsewhere", async () => {
    await expect((await open({}, "", [])).check()).rejects.toMatchObject({
      fault: { code: "egress.not-public" },
    });
    for (const [host, refusedPort] of [
      ["169.254.169.254", 993],
      ["metadata.google.internal", 993],
      ["127.0.0.1", 6379],
    ] as const) {
      const source = await open({ host, port: refusedPort, security: "tls" });
      await expect(source.check()).rejects.toMatchObject({ name: "EgressError" });
    }
    expect(mailbox.connections).toBe(0);
    expect(() => settings({ host: "mail.example.com" })).toThrow("a password needs encryption");
    for (const host of ["a b", "a@b", "a/b", ""]) expect(() => settings({ host })).toThrow();
  });

  it("sends no password if the server offers no encryption", async () => {
    const source = await open({ security: "starttls" });
    await expect(source.check()).rejects.toMatchObject({ code: "source.encryption-refused" });
    expect(mailbox.commands.join()).not.toMatch(/AUTHENTICATE|LOGIN/);
  });

  it("writes nothing to the logs", async () => {
    const written = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, "write").mockReturnValue(true),
    );
    try {
      await list();
      for (const spy of written) expect(spy).not.toHaveBeenCalled();
    } finally {
      for (const spy of written) spy.mockRestore();
    }
  });

  it("keeps nothing that it didn't ask for, and gives up on what has no end", async () => {
    const row = (uid: number): string =>
      `* ${uid} FETCH (UID ${uid} RFC822.SIZE 9 INTERNALDATE "24-Nov-2025 16:00:00 +0000" ENVELOPE (NIL "Row ${uid}" NIL NIL NIL NIL NIL NIL NIL NIL))\r\n`;
    const answerWith = (rows: string): void =>
      void mailbox.answers.set("UID FETCH", (tag) => `${rows}${tag} OK done\r\n`);
    answerWith(`* 4 FETCH (UID 4 FLAGS (\\Seen))\r\n${[4, 9, 4, 1].map(row).join("")}`);
    expect(await titles()).toEqual(["Row 4", "Row 1"]);
    for (const rows of [
      Array.from({ length: 10_001 }, () => row(9)).join(""),
      row(9)
        .replace('"Row 9"', `{6000000}\r\n${"x".repeat(6_000_000)}`)
        .repeat(2),
    ]) {
      answerWith(rows);
      await expect(titles()).rejects.toMatchObject({ code: "egress.unexpected-response" });
    }
    mailbox.answers.clear();
    const source = await open({ maxMegabytes: 1 });
    const [newest] = await listAll(source);
    const text = (uid: number, length: number): string =>
      `* ${uid} FETCH (UID ${uid} BODY[]<0> {${length}}\r\n${"x".repeat(length)})\r\n`;
    answerWith(row(4) + text(1, 9) + text(4, 5) + "* 4 FETCH (UID 4 FLAGS (\\Seen))\r\n");
    const fetched = await source.fetch(newest!.item, null);
    expect(fetched).toMatchObject({ metadata: { title: "Row 4" } });
    expect(await readFetched(fetched)).toBe("xxxxx");
    answerWith(text(4, 5) + text(1, 1_000_000).repeat(11));
    await expect(source.fetch(newest!.item, null)).rejects.toMatchObject({
      code: "egress.unexpected-response",
    });
    mailbox.answers.clear();
    expect(await titles()).toEqual(["Message 4", "Message 1"]);
  });

  it("ends where messages have no end", async () => {
    mailbox.folders.get("INBOX")!.messages = Array.from({ length: 1_001 }, (_, n) =>
      message(n + 1),
    );
    const source = await open();
    const { next } = await source.list(null);
    // As if it had gone on for long.
    const cursor = JSON.stringify({ ...JSON.parse(next!), listed: 999_500 });
    const page = await source.list(cursor);
    expect(page).toMatchObject({ next: null, isPartial: true });
    expect(page.items).toHaveLength(500);
  });

  it("takes only so long, signing in included", async () => {
    const clock = new AbortController();
    const { timeout } = AbortSignal;
    const spy = jest
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === 120_000 ? clock.signal : timeout.call(AbortSignal, ms)));
    // It says something now and then, but never lets anybody in.
    mailbox.answers.set("LOGIN", () => {
      clock.abort();
      return "* OK still busy\r\n";
    });
    try {
      await expect((await open()).check()).rejects.toMatchObject({ code: "egress.timed-out" });
    } finally {
      spy.mockRestore();
    }
  });

  it("ends when its run is stopped", async () => {
    mailbox.answers.set("UID SEARCH", () => {
      abort.abort(new Error("stopped"));
      return "";
    });
    await expect((await open()).list(null)).rejects.toThrow("stopped");
  });
});
