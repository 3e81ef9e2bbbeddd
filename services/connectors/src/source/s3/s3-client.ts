import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import type { ContentRequest, ContentResponse } from "@carrel/egress";
import type { SourceContext } from "../../connector/connector.ts";
import { childText, readXml, type XmlElement } from "../../connector/read-xml.ts";
import { throwStatus } from "../../connector/source-fault.ts";
import type { S3Credential, S3Settings } from "./s3-form.ts";

const maxErrorBytes = 20_000;
const fileMs = 120_000;
const amazon = /^(https?:\/\/s3[.-](?:dualstack\.)?)([a-z0-9-]+)(\.amazonaws\.com(?:\.cn)?)$/;

/** The last one is Versity's. */
const refusals = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "XAdminUserNotFound"]);

/** The object must be restored from its class of storage before it is read. */
export class ArchivedError extends Error {
  override readonly name = "ArchivedError";
  constructor(readonly storage: string) {
    super(storage);
  }
}

export const endpointOf = ({ endpoint, region }: S3Settings): string =>
  endpoint === "" ? `https://s3.${region}.amazonaws.com` : endpoint;

/** Requests to a bucket, signed with an access key unless it is public. */
export class S3Client {
  readonly host: string;
  private endpoint: string;
  private region: string;

  constructor(
    private readonly settings: S3Settings,
    private readonly credential: S3Credential,
    private readonly context: SourceContext,
  ) {
    this.endpoint = endpointOf(settings);
    this.region = settings.region;
    this.host = new URL(this.endpoint).host;
  }

  /** The names of the buckets that the access key may list. */
  listBuckets(): Promise<XmlElement> {
    return this.ask(null, {});
  }

  /** A page of the bucket's objects (ListObjectsV2). */
  listObjects(query: Record<string, string>): Promise<XmlElement> {
    // Tells of archived objects which are restored; other servers don't know it.
    const headers = { "x-amz-optional-object-attributes": "RestoreStatus" };
    return this.ask("", { "list-type": "2", "encoding-type": "url", ...query }, headers);
  }

  private async ask(
    key: string | null,
    query: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<XmlElement> {
    const send = async (): Promise<ContentResponse> => {
      const { url, init } = await this.sign(key, query, headers);
      return this.context.content.fetch(url, init);
    };
    const reply = await send();
    if (isFine(reply)) return readXml(reply);
    if (!this.moveRegion(reply, await readError(reply))) return this.refuse(reply);
    const other = await send();
    return isFine(other) ? readXml(other) : this.refuse(other);
  }

  /** Throws ArchivedError for what must be restored first. */
  async open(key: string, maxBytes: number): Promise<{ body: Readable; headers: Headers }> {
    const send = async () => {
      const { url, init } = await this.sign(key, {}, {});
      const limits = { maxBytes, timeoutMs: fileMs, decompress: true };
      return this.context.content.open(url, { ...init, ...limits });
    };
    const reply = await send();
    if (isFine(reply)) return reply;
    const refusal = { ...reply, body: await readHead(reply.body) };
    if (!this.moveRegion(refusal, await readError(refusal))) return this.refuse(refusal);
    const other = await send();
    if (isFine(other)) return other;
    return this.refuse({ ...other, body: await readHead(other.body) });
  }

  addressOf(key: string | null): string {
    const { bucket = "", pathStyle } = this.settings;
    const { protocol, host } = new URL(this.endpoint);
    if (key === null) return `${protocol}//${host}/`;
    const path = encode(key).replaceAll("%2F", "/");
    return pathStyle
      ? `${protocol}//${host}/${encode(bucket)}${key === "" ? "" : `/${path}`}`
      : `${protocol}//${bucket}.${host}/${path}`;
  }

  private async sign(
    key: string | null,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<{ url: string; init: ContentRequest }> {
    const address = new URL(this.addressOf(key));
    const search = Object.entries(query)
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .join("&");
    const url = `${address.href}${search === "" ? "" : `?${search}`}`;
    const init: ContentRequest = {
      signal: this.context.signal,
      // A signature is for one address only.
      mayFollow: () => Promise.resolve(false),
    };
    const { accessKey, secretKey } = this.credential;
    if (accessKey === "") return { url, init: { ...init, headers } };
    // Loaded with the first signature, as most processes make none.
    const [{ SignatureV4 }, { Sha256Node }] = await Promise.all([
      import("@smithy/signature-v4"),
      import("@smithy/core/checksum"),
    ]);
    const signer = new SignatureV4({
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      region: this.region,
      service: "s3",
      sha256: Sha256Node,
      uriEscapePath: false,
    });
    const signed = await signer.sign({
      method: "GET",
      protocol: address.protocol,
      hostname: address.hostname,
      path: address.pathname,
      query,
      headers: { ...headers, host: address.host },
    });
    return { url, init: { ...init, headers: signed.headers } };
  }

  /** Whether the bucket is in another region, in which to ask again. */
  private moveRegion({ headers }: Refusal, { region }: S3Error): boolean {
    const told = headers.get("x-amz-bucket-region") ?? region;
    if (!/^[a-z0-9-]{1,50}$/.test(told) || told === this.region) return false;
    this.region = told;
    const [, before, , after] = amazon.exec(this.endpoint) ?? [];
    // Others have one address for all regions.
    if (before !== undefined) this.endpoint = `${before}${told}${after}`;
    return true;
  }

  private async refuse(reply: Refusal): Promise<never> {
    const { host } = this;
    const { bucket = "" } = this.settings;
    const { code, storage } = await readError(reply);
    if (code === "NoSuchBucket") throw new CarrelError("source.bucket-missing", { host, bucket });
    if (refusals.has(code)) throw new CarrelError("source.key-refused", { host });
    // Only this one says that the object is gone.
    if (reply.status === 404 && code !== "" && code !== "NoSuchKey")
      throw new CarrelError("egress.unexpected-response", { host });
    if (code === "InvalidObjectState") throw new ArchivedError(storage || "GLACIER");
    const isBusy = code === "SlowDown" || code === "RequestLimitExceeded";
    return throwStatus(isBusy ? { ...reply, status: 429 } : reply);
  }
}

type Refusal = Pick<ContentResponse, "url" | "status" | "headers" | "body">;
interface S3Error {
  code: string;
  region: string;
  storage: string;
}

const isFine = ({ status }: { status: number }): boolean => status >= 200 && status <= 299;

/** As signatures demand it: everything but letters, digits, `-`, `.`, `_` and `~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Empty if the server says it in another way. */
async function readError(reply: Refusal): Promise<S3Error> {
  const nothing = { code: "", region: "", storage: "" };
  if (reply.body.length === 0 || reply.body.length > maxErrorBytes) return nothing;
  try {
    const root = await readXml(reply);
    return {
      code: childText(root, "Code"),
      region: childText(root, "Region"),
      storage: childText(root, "StorageClass"),
    };
  } catch (error) {
    if (error instanceof CarrelError) return nothing;
    throw error;
  }
}

async function readHead(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxErrorBytes) break;
  }
  return Buffer.concat(parts);
}
