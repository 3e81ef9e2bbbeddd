import { retryDocument } from "@carrel/contracts";
import { startFakeS3, startTcpProxy, type FakeS3, type TcpProxy, poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

describe("originals in S3", () => {
  let ingest: TestIngest;
  let s3: FakeS3;
  let proxy: TcpProxy;
  beforeAll(async () => {
    s3 = await startFakeS3();
    proxy = await startTcpProxy(s3.url);
    ingest = await startTestIngest({
      environment: {
        S3_BUCKET: "docs",
        S3_ENDPOINT: proxy.url,
        S3_ACCESS_KEY_ID: "key",
        S3_SECRET_ACCESS_KEY: "secret",
      },
    });
  });
  afterAll(async () => {
    await ingest?.stop();
    await proxy?.cut();
    await s3?.stop();
  });

  it("that can't be read make their documents wait until S3 is back", async () => {
    const id = await ingest.upload(1, "mill.txt", "The mill by the river grinds on Fridays.");
    await ingest.until(1, id, "embedded");
    for (const [table, column] of [
      ["document", "id"],
      ["workspace_document", "document_id"],
    ])
      await ingest.sql(
        `UPDATE ingest."${table}" SET state = 'failed', reason = '{"code":"file.parsing-failed"}'
        WHERE "${column}" = $1`,
        [id],
      );
    await proxy.cut();
    await ingest.client.request(
      retryDocument,
      { slug: "w1", documentId: id },
      { scope: workspaceScope(1) },
    );
    await poll(() => ingest.state1(1, id)).toMatchObject({
      state: "queued",
      reason: { code: "document.waits-for-store", params: { store: "S3" } },
    });
    await proxy.restore();
    await ingest.until(1, id, "embedded");
    expect(await ingest.state1(1, id)).toMatchObject({ reason: null });
  });
});
