import { describe, expect, it } from "@jest/globals";
import { parseEml } from "./parse-mail.ts";

const head = "Subject: Bells\nFrom: a@example.com\n";

describe("mails of very many lines", () => {
  it.each([
    ["empty lines", "\n".repeat(100_000)],
    ["lines of base64", `Content-Transfer-Encoding: base64\n\n${"YQ==\n".repeat(100_000)}`],
  ])("take less than 1.5 s: %s", async (_what, body) => {
    await parseEml(Buffer.from(`${head}\na`));
    const before = process.cpuUsage();
    await parseEml(Buffer.from(head + body));
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_500_000);
  });

  it("keep their text", async () => {
    const { text } = await parseEml(Buffer.from(`${head}\n${"né\n".repeat(2_000)}`));
    expect(text).toContain(`\n\n${"né\n".repeat(1_999)}né`);
  });

  it("leave files recognisable as Blobs for what sends them on", async () => {
    await parseEml(Buffer.from(`${head}\na`));
    expect(new File(["a"], "a.txt")).toBeInstanceOf(Blob);
    expect(new Blob(["a"])).toBeInstanceOf(Blob);
    expect({}).not.toBeInstanceOf(Blob);
  });
});

describe("when a mail was sent", () => {
  it.each([
    ["Tue, 5 Mar 2024 10:00:00 +0100", "2024-03-05 10:00 (UTC+01:00)"],
    ["Tue, 5 Mar 2024 23:30:00 -0530 (comment)", "2024-03-05 23:30 (UTC-05:30)"],
    ["5 Mar 2024 10:00 GMT", "2024-03-05 10:00 (UTC)"],
    ["Tue, 5 Mar 2024 10:00:00 EST", "2024-03-05 15:00 (UTC)"],
    ["yesterday", "yesterday"],
  ])("%s", async (date, right) => {
    const { text } = await parseEml(Buffer.from(`${head}Date: ${date}\n\na`));
    expect(text).toContain(`\nDate: ${right}\n`);
  });
});
