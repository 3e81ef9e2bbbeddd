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
