import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/*
 * Written from Amazon's S3 API reference (2006-03-01): ListBuckets, ListObjectsV2, GetObject, error
 * responses, and authenticating requests with signature version 4.
 */

export interface FixtureObject {
  content: string;
  etag?: string;
  type?: string;
  storage?: string;
  restoredUntil?: string;
}

const accessKey = "AKIDEXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG";
const emptyHash = createHash("sha256").digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
const strict = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export class S3Fixture {
  static readonly credential = { accessKey, secretKey };
  objects = new Map<string, FixtureObject>();
  bucket = "docs";
  region = "us-east-1";
  isPublic = false;
  /** Requests are answered as if their host was this; the bucket may be in its name. */
  readonly requests: { host: string; path: string; signed: boolean }[] = [];
  /** Answers by path, in place of the server's own. */
  readonly answers = new Map<string, (response: ServerResponse) => void>();

  readonly listener: RequestListener = (request, response) => {
    const { url = "/", headers } = request;
    const host = headers.host ?? "";
    const { pathname, searchParams } = new URL(url, "http://fixture");
    this.requests.push({ host, path: url, signed: headers.authorization !== undefined });
    const own = this.answers.get(pathname);
    if (own) return own(response);
    const refusal = this.findRefusal(request);
    if (refusal !== null) return this.refuse(response, 403, refusal);
    if (headers.authorization !== undefined && this.regionOf(request) !== this.region) {
      response.setHeader("x-amz-bucket-region", this.region);
      return this.refuse(response, 301, "PermanentRedirect");
    }
    // A raw path, because keys may contain what addresses resolve.
    const raw = url.split("?")[0]!.slice(1);
    const isVirtual = host.startsWith(`${this.bucket}.`);
    const [bucket = "", ...rest] = isVirtual ? [this.bucket, raw] : raw.split("/");
    if (bucket === "") return this.listBuckets(response);
    if (bucket !== this.bucket) return this.refuse(response, 404, "NoSuchBucket");
    const key = decodeURIComponent(rest.join("/"));
    if (key === "") return this.list(response, searchParams);
    const object = this.objects.get(key);
    if (object === undefined) return this.refuse(response, 404, "NoSuchKey");
    if (object.storage === "GLACIER" && object.restoredUntil === undefined)
      return this.refuse(response, 403, "InvalidObjectState");
    response.setHeader("content-type", object.type ?? "binary/octet-stream").end(object.content);
  };

  private list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get("prefix") ?? "";
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
    const keys = [...this.objects.keys()]
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .filter((key) => key.startsWith(prefix));
    const start = after === "" ? 0 : keys.indexOf(after) + 1;
    const end = start + Math.min(1_000, Number(query.get("max-keys") ?? 1_000));
    const page = keys.slice(start, end);
    const write = (key: string): string =>
      query.get("encoding-type") === "url"
        ? strict(key).replaceAll("%20", "+").replaceAll("%2F", "/")
        : escape(key);
    const contents = page.map((key) => {
      const { content, etag, storage = "STANDARD", restoredUntil } = this.objects.get(key)!;
      const restored =
        restoredUntil === undefined
          ? ""
          : `<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress>
            <RestoreExpiryDate>${restoredUntil}</RestoreExpiryDate></RestoreStatus>`;
      return `<Contents><Key>${write(key)}</Key><LastModified>2026-05-01T10:00:00.000Z</LastModified>
        <ETag>${escape(etag ?? `"${createHash("md5").update(content).digest("hex")}"`)}</ETag>
        <Size>${content.length}</Size><StorageClass>${storage}</StorageClass>${restored}</Contents>`;
    });
    const isMore = end < keys.length;
    const token = Buffer.from(page.at(-1) ?? "").toString("base64url");
    response.setHeader("content-type", "application/xml").end(
      `<?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket}</Name>
      ${query.get("encoding-type") === "url" ? "<EncodingType>url</EncodingType>" : ""}
      <IsTruncated>${isMore}</IsTruncated>
      ${isMore ? `<NextContinuationToken>${token}</NextContinuationToken>` : ""}
      ${contents.join("")}</ListBucketResult>`,
    );
  }

  private listBuckets(response: ServerResponse): void {
    response.end(`<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Buckets>
      <Bucket><Name>${this.bucket}</Name></Bucket><Bucket><Name>other</Name></Bucket>
      </Buckets></ListAllMyBucketsResult>`);
  }

  private refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`);
  }

  private regionOf({ headers }: IncomingMessage): string | undefined {
    return /Credential=[^/]+\/\d{8}\/([^/]+)\//.exec(headers.authorization ?? "")?.[1];
  }

  /** The code of what is wrong with a request's signature. */
  private findRefusal(request: IncomingMessage): string | null {
    const { url = "/", method = "GET", headers } = request;
    const { authorization } = headers;
    if (authorization === undefined) return this.isPublic ? null : "AccessDenied";
    const [, key, scope = "", names = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
        authorization,
      ) ?? [];
    if (key !== accessKey) return "InvalidAccessKeyId";
    const [path = "", query = ""] = url.split("?");
    const canonical = [
      method,
      path.split("/").map(decodeURIComponent).map(strict).join("/"),
      query
        .split("&")
        .filter((part) => part !== "")
        .map((part) => part.split("=").map(decodeURIComponent).map(strict).join("="))
        .toSorted()
        .join("&"),
      ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
      "",
      names,
      headers["x-amz-content-sha256"] ?? emptyHash,
    ].join("\n");
    const hash = createHash("sha256").update(canonical).digest("hex");
    const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n");
    const signing = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
    const isSigned = names.split(";").includes("host");
    return isSigned && hmac(signing, text).toString("hex") === signature
      ? null
      : "SignatureDoesNotMatch";
  }
}
