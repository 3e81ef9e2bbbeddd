import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface FakeS3 {
  /** e.g. http://127.0.0.1:41234 ; the bucket is `docs`. */
  url: string;
  requests: { method: string; path: string; query: string; authorization: string | undefined }[];
  openUploads(): number;
  /** Refuses to store anything, as MinIO does when its disks are full. */
  isFull: boolean;
  stop(): Promise<void>;
}

/**
 * The operations that the S3 driver uses, in the formats of Amazon's S3 API reference (2006-03-01),
 * path style; blobs in memory.
 */
export async function startFakeS3(): Promise<FakeS3> {
  const blobs = new Map<string, { body: Buffer; at: Date }>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer>; at: Date }>();
  const requests: FakeS3["requests"] = [];

  const xml = (response: ServerResponse, status: number, text: string) =>
    response
      .writeHead(status, { "content-type": "application/xml" })
      .end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const missing = (response: ServerResponse, code = "NoSuchKey") =>
    xml(
      response,
      404,
      `<Error><Code>${code}</Code><Message>The specified key does not exist.</Message></Error>`,
    );
  const etag = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`;

  function list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get("prefix") ?? "";
    const keys = [...blobs.keys()].filter((key) => key.startsWith(prefix)).sort();
    const from = Number(query.get("continuation-token") ?? 0);
    // Two per page, to exercise paging.
    const page = keys.slice(from, from + 2);
    const more = from + 2 < keys.length;
    xml(
      response,
      200,
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>docs</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>2</MaxKeys><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ""}${page.map((key) => `<Contents><Key>${key}</Key><LastModified>${blobs.get(key)!.at.toISOString()}</LastModified><ETag>${etag(blobs.get(key)!.body)}</ETag><Size>${blobs.get(key)!.body.length}</Size></Contents>`).join("")}</ListBucketResult>`,
    );
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string): void {
    const blob = blobs.get(key);
    if (!blob) {
      if (request.method === "HEAD") response.writeHead(404).end();
      else missing(response);
      return;
    }
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    if (range && start >= blob.body.length) {
      xml(
        response,
        416,
        "<Error><Code>InvalidRange</Code><Message>The requested range is not satisfiable</Message></Error>",
      );
      return;
    }
    const body = range ? blob.body.subarray(start, Number(range[2]) + 1) : blob.body;
    response.writeHead(range ? 206 : 200, {
      "content-length": body.length,
      etag: etag(blob.body),
      "last-modified": blob.at.toUTCString(),
      ...(range && {
        "content-range": `bytes ${start}-${start + body.length - 1}/${blob.body.length}`,
      }),
    });
    if (request.method === "HEAD") response.end();
    else response.end(body);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://s3");
    const query = url.searchParams;
    const key = decodeURIComponent(url.pathname.replace(/^\/docs\/?/, ""));
    requests.push({
      method: request.method!,
      path: url.pathname,
      query: url.search,
      authorization: request.headers.authorization,
    });
    const body = await buffer(request);
    const upload = query.has("uploadId") ? uploads.get(query.get("uploadId")!) : undefined;
    if (query.has("uploadId") && !upload) {
      missing(response, "NoSuchUpload");
      return;
    }
    if (fake.isFull && (request.method === "PUT" || request.method === "POST")) {
      xml(
        response,
        507,
        "<Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold.</Message></Error>",
      );
      return;
    }
    if (request.method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), at: new Date() });
      xml(
        response,
        200,
        `<InitiateMultipartUploadResult><Bucket>docs</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (request.method === "POST" && upload) {
      const whole = Buffer.concat(
        [...upload.parts.entries()].sort(([a], [b]) => a - b).map(([, part]) => part),
      );
      blobs.set(key, { body: whole, at: new Date() });
      uploads.delete(query.get("uploadId")!);
      xml(
        response,
        200,
        `<CompleteMultipartUploadResult><Bucket>docs</Bucket><Key>${key}</Key><ETag>"x-2"</ETag></CompleteMultipartUploadResult>`,
      );
    } else if (request.method === "PUT" && upload) {
      upload.parts.set(Number(query.get("partNumber")), body);
      response.writeHead(200, { etag: etag(body) }).end();
    } else if (request.method === "PUT" && request.headers["x-amz-copy-source"]) {
      const source = blobs.get(
        decodeURIComponent(String(request.headers["x-amz-copy-source"])).replace(/^\/?docs\//, ""),
      );
      if (!source) {
        missing(response);
        return;
      }
      blobs.set(key, { body: source.body, at: new Date() });
      xml(
        response,
        200,
        `<CopyObjectResult><ETag>${etag(source.body)}</ETag><LastModified>${new Date().toISOString()}</LastModified></CopyObjectResult>`,
      );
    } else if (request.method === "PUT") {
      blobs.set(key, { body, at: new Date() });
      response.writeHead(200, { etag: etag(body) }).end();
    } else if (request.method === "DELETE") {
      if (upload) uploads.delete(query.get("uploadId")!);
      else blobs.delete(key);
      response.writeHead(204).end();
    } else if (query.has("list-type")) list(response, query);
    else if (query.has("uploads"))
      xml(
        response,
        200,
        `<ListMultipartUploadsResult>${[...uploads].map(([id, { key: name, at }]) => `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`).join("")}</ListMultipartUploadsResult>`,
      );
    else get(request, response, key);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeS3 = {
    isFull: false,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    openUploads: () => uploads.size,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}
