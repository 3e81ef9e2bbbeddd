import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { instanceShape, loadConfig } from "@carrel/config";
import { applyNetworkSettings } from "@carrel/egress";
import { createBlobStore } from "@carrel/storage";
import { startConnectProxy, startFakeS3, type ConnectProxy, type FakeS3 } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";

/** Public, and served by the fake through the proxy only. */
const endpoint = "http://93.184.215.14:9000";
let s3: FakeS3;
let proxy: ConnectProxy;

const useProxy = (variables: Record<string, string>): void =>
  applyNetworkSettings(
    loadConfig(instanceShape, {
      DATABASE_URL: "postgres://carrel@127.0.0.1/carrel",
      REDIS_URL: "redis://127.0.0.1",
      ...variables,
    }),
  );
const open = (at: string) =>
  createBlobStore({
    kind: "s3",
    bucket: "docs",
    endpoint: at,
    accessKeyId: "key",
    secretAccessKey: "secret",
  });

beforeAll(async () => {
  s3 = await startFakeS3();
  proxy = await startConnectProxy();
  proxy.redirect = () => new URL(s3.url).host;
});
beforeEach(() => {
  proxy.asked.length = 0;
  useProxy({ CARREL_EGRESS_PROXY: `http://carrel:word@${proxy.address}` });
});
afterAll(async () => {
  useProxy({});
  await Promise.all([s3.stop(), proxy.close()]);
});

it("stores and reads blobs of several parts through the proxy", async () => {
  const store = open(endpoint);
  const content = randomBytes(9 * 1024 * 1024);
  expect(await store.put("a/b", Readable.from([content]))).toEqual({ bytes: content.length });
  const read = await buffer((await store.get("a/b")).body);
  expect(read.equals(content)).toBe(true);
  expect(proxy.asked.length).toBeGreaterThan(0);
  const authorization = `Basic ${Buffer.from("carrel:word").toString("base64")}`;
  expect(new Set(proxy.asked.map((asked) => JSON.stringify(asked)))).toEqual(
    new Set([JSON.stringify({ target: "93.184.215.14:9000", authorization })]),
  );
});

it("reaches a bucket on this machine directly, and says when the proxy doesn't connect", async () => {
  await open(s3.url).put("c", Readable.from([Buffer.from("text")]));
  expect(proxy.asked).toEqual([]);
  proxy.answer = () => 403;
  await expect(open(endpoint).put("d", Readable.from([Buffer.from("text")]))).rejects.toMatchObject(
    {
      name: "BlobStoreUnreachableError",
      cause: { fault: { code: "egress.proxy-refused" } },
    },
  );
});
