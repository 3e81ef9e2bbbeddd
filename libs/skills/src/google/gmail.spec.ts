import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { callTools } from "../account/account-server.fixture.ts";
import { AppsScriptFixture } from "./apps-script.fixture.ts";
import { GmailStandIn } from "./gmail.fixture.ts";
import { createGmail } from "./gmail.ts";
import { startGoogle, type GoogleServer } from "./google-server.fixture.ts";

let google: AppsScriptFixture;
let gmail: GmailStandIn;
let server: GoogleServer;
let apiKey: string;
let deploymentId: string;
const { named, textOf, faultOf } = callTools(() =>
  createGmail({ apiKey, deploymentId }, server.ports),
);
const draft = { to: ["bob@example.com"], subject: "Offer", body: "Dear Bob" };
const answerWith =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);
const cut = (response: ServerResponse): void => void response.destroy();
const page = { "content-type": "text/html" };

beforeAll(async () => {
  server = await startGoogle(() => google);
});
afterAll(() => server.stop());
beforeEach(() => {
  gmail = new GmailStandIn();
  google = new AppsScriptFixture("gmail.gs", { GmailApp: gmail.app });
  google.replyOrigin = server.replyOrigin;
  ({ apiKey, deploymentId } = server.settings);
  gmail.threads = Array.from({ length: 30 }, (_, n) => [
    { id: `m${n}`, subject: `Mail ${n}`, from: "Bob <bob@example.com>", text: `Text\n\n ${n}` },
  ]);
});

describe("Gmail", () => {
  it("finds conversations, in pages", async () => {
    gmail.threads[0]!.push({
      id: "m0b",
      subject: "Re",
      from: "Eve",
      text: "Later",
      isUnread: true,
    });
    const text = await textOf("gmail-search", {});
    expect(text).toContain(
      "Subject: Mail 0\nID: m0, from Bob <bob@example.com>, 2026-05-01T10:00:00.000Z\nID: m0b, from Eve, 2026-05-01T10:00:00.000Z (unread)\nLater",
    );
    expect(text).toContain("There may be more: page 2.");
    expect(await textOf("gmail-search", { query: "from:bob", page: 2 })).not.toContain("page 3");
    expect(gmail.queries).toEqual(["in:inbox", "from:bob"]);
    expect(await textOf("gmail-search", { page: 3 })).toBe("No mails were found.");
  });

  it("reads mails as text, and names attachments", async () => {
    gmail.threads[0]![0]!.html = "<p>Hello <b>Ada</b></p><p style='display:none'>hidden</p>";
    gmail.threads[0]![0]!.attachments = [{ name: "a.pdf", size: 5 }];
    expect(await textOf("gmail-read", { id: "m0" })).toBe(
      "Subject: Mail 0\nFrom: Bob <bob@example.com>\nTo: ada@gmail.com\nDate: 2026-05-01T10:00:00.000Z\nAttachments (not read): a.pdf (5 bytes)\n\nHello Ada",
    );
    expect(await textOf("gmail-read", { id: "m1" })).toContain("\n\nText\n\n 1");
    expect((await faultOf("gmail-read", { id: "gone" }))[0]).toBe("account.item-missing");
  });

  it("creates drafts and sends mails as they were approved", async () => {
    const mail = {
      ...draft,
      to: ["a@example.com", "b@example.com"],
      cc: ["c@example.com"],
      bcc: ["d@example.com"],
    };
    const made = {
      to: "a@example.com,b@example.com",
      subject: "Offer",
      body: "Dear Bob",
      options: { cc: "c@example.com", bcc: "d@example.com" },
    };
    expect(await textOf("gmail-create-draft", mail)).toContain("draft-1");
    expect(await textOf("gmail-send", mail)).toBe("The mail was sent.");
    expect([gmail.drafts, gmail.sent]).toEqual([[made], [made]]);
    expect(named("gmail-send")).toMatchObject({ effect: "send", approval: "always" });
    expect(named("gmail-create-draft").approval).toBe("always");
    expect(named("gmail-send").describe?.(mail)).toMatchObject({
      destination: "a@example.com, b@example.com, c@example.com, d@example.com",
    });
  });

  it("replies only to the approved address", async () => {
    await textOf("gmail-send", { ...draft, replyTo: "m3" });
    expect(gmail.sent).toEqual([{ reply: "m3", body: "Dear Bob", options: { subject: "Offer" } }]);
    expect(gmail.drafts).toEqual([]);
    gmail.threads[4]![0]!.replyTo = "eve@example.com";
    const [code, text] = await faultOf("gmail-send", { ...draft, replyTo: "m4" });
    expect([code, text]).toEqual([
      "account.request-refused",
      "Gmail refused the request: A reply to this mail goes to eve@example.com.",
    ]);
    expect(gmail.sent).toHaveLength(1);
  });

  it("needs the script's key", async () => {
    for (const wrong of ["", "k".repeat(63), "K".repeat(64)]) {
      apiKey = wrong;
      expect((await faultOf("gmail-send", draft))[0]).toBe("account.key-refused");
    }
    ({ apiKey } = server.settings);
    google.properties.set("API_KEY", "short");
    apiKey = "short";
    expect((await faultOf("gmail-search", {}))[0]).toBe("account.key-refused");
    google.properties.delete("API_KEY");
    expect((await faultOf("gmail-search", {}))[0]).toBe("account.key-refused");
    google.run("createKey");
    apiKey = google.properties.get("API_KEY")!;
    expect(apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await textOf("gmail-search", {})).toContain("Mail 0");
    expect(gmail.sent).toEqual([]);
  });

  it("tells what Gmail refuses", async () => {
    for (const [message, code] of [
      ["Service invoked too many times for one day: gmail.", "account.busy"],
      [
        "Specified permissions are not sufficient to call GmailApp.search.",
        "account.permission-missing",
      ],
      ["Invalid argument", "account.request-refused"],
    ] as const) {
      gmail.fault = new Error(message);
      expect([message, (await faultOf("gmail-search", {}))[0]]).toEqual([message, code]);
    }
  });

  it.each([
    ["a missing deployment", answerWith(404, page, "<html>"), "account.script-missing"],
    [
      "a sign-in page",
      answerWith(302, { location: "https://accounts.google.com/" }),
      "account.script-missing",
    ],
    [
      "a look-alike host",
      answerWith(302, { location: "https://script.googleusercontent.com.evil.example/" }),
      "account.script-missing",
    ],
    ["a page instead of a reply", answerWith(200, page, "<html>"), "account.script-missing"],
    ["too many requests", answerWith(429, page, "<html>"), "account.busy"],
    [
      "another reply",
      answerWith(200, { "content-type": "application/json" }, '{"a":1}'),
      "account.unexpected-response",
    ],
    [
      "another version",
      answerWith(
        200,
        { "content-type": "application/json" },
        '{"version":2,"ok":true,"result":{}}',
      ),
      "account.script-outdated",
    ],
  ])("reports %s", async (_, answer, code) => {
    google.answers.push(answer);
    expect((await faultOf("gmail-search", {}))[0]).toBe(code);
  });

  it("reads again after an error of the server or a cut connection", async () => {
    for (const answer of [cut, answerWith(500)]) {
      google.answers.push(answer);
      expect(await textOf("gmail-search", {})).toContain("Mail 0");
      google.replyAnswers.push(answer);
      expect(await textOf("gmail-search", {})).toContain("Mail 0");
      google.answers.push(answer, answer);
      expect((await faultOf("gmail-search", {}))[0]).toMatch(
        /^(egress.unreachable|account.failing)$/,
      );
    }
    google.replyAnswers.push(answerWith(200, page, "<html>An error of the script"));
    expect((await faultOf("gmail-search", {}))[0]).toBe("account.unexpected-response");
  });

  it("never sends twice", async () => {
    google.replyAnswers.push(cut);
    const [code] = await faultOf("gmail-send", draft);
    expect([code, gmail.sent.length]).toEqual(["account.outcome-unknown", 1]);
    google.answers.push(answerWith(502));
    expect((await faultOf("gmail-send", draft))[0]).toBe("account.outcome-unknown");
    expect(gmail.sent).toHaveLength(1);
    deploymentId = "../../evil";
    expect((await faultOf("gmail-send", draft))[0]).toBe("account.script-missing");
  });
});
