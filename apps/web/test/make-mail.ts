import { onePixel } from "./one-pixel.ts";
import type { FakeOriginal } from "./originals.ts";

export const mailSentence = "The low speed tunnel is closed from 3 to 7 August.";
const plain = `Dear all,\n\n${mailSentence} Please move your runs\nto the large tunnel.\n\nMira`;

export const mail = (): FakeOriginal => ({
  title: "closing.eml",
  mime: "message/rfc822",
  bytes: Buffer.from(
    [
      "From: =?utf-8?q?Mira_Kowalska?= <mira@harbour.example>",
      "To: Tunnel users <users@harbour.example>",
      "Subject: Closing of the tunnel",
      "Date: Tue, 21 Jul 2026 09:30:00 +0200",
      "MIME-Version: 1.0",
      'Content-Type: multipart/related; boundary="a"',
      "",
      "--a",
      "Content-Type: text/html; charset=utf-8",
      "",
      `<html><body onload="globalThis.broken=1"><p>Dear all,</p><p><b>${mailSentence}</b> Please move your runs to the large tunnel.</p><p><img src="cid:logo@x" alt="Logo"><img src="https://evil.test/t.gif" alt=""></p><p>Mira</p></body></html>`,
      "--a",
      "Content-Type: image/png",
      "Content-ID: <logo@x>",
      "Content-Transfer-Encoding: base64",
      "",
      onePixel.toString("base64"),
      "--a",
      'Content-Type: application/pdf; name="plan.pdf"',
      'Content-Disposition: attachment; filename="plan.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.alloc(1_500).toString("base64"),
      "--a--",
      "",
    ].join("\r\n"),
  ),
  text: `Closing of the tunnel\n\nFrom: Mira Kowalska <mira@harbour.example>\nTo: Tunnel users <users@harbour.example>\nDate: 2026-07-21T07:30:00.000Z\n\n${plain}\n\nAttachment: plan.pdf (application/pdf, 1 KB)`,
});

export const mailbox = (): FakeOriginal => ({
  title: "tunnel.mbox",
  mime: "application/mbox",
  bytes: Buffer.from(
    `From a@b Tue Jul 21 09:30:00 2026\nFrom: a@harbour.example\nSubject: First\n\nNothing new.\n\nFrom c@d Wed Jul 22 09:30:00 2026\nFrom: c@harbour.example\nSubject: Second\n\n${plain}\n\n>From here on it is quiet.\n`,
  ),
  text: `First\n\nFrom: a@harbour.example\n\nNothing new.\n\nSecond\n\nFrom: c@harbour.example\n\n${plain}\n\nFrom here on it is quiet.`,
});
