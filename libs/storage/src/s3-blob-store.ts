import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { createNodeAgents, requireProviderHost } from "@carrel/egress";
import {
  BlobMissingError,
  BlobStoreFullError,
  BlobStoreUnreachableError,
  type BlobStore,
  type ByteRange,
} from "./blob-store.ts";

export interface S3Config {
  kind: "s3";
  bucket: string;
  region?: string;
  /** For stores other than Amazon's (MinIO, Ceph, Garage, …). */
  endpoint?: string;
  /** Without keys, the SDK's default credential chain is used (instance role, environment). */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** Default: true if an endpoint is set. */
  forcePathStyle?: boolean;
  /** Prepended to every key, e.g. `carrel/`. */
  prefix?: string;
}

/**
 * Timeout per attempt; the SDK makes three by default, and each upload would wait for all of them.
 */
const limits = { attempts: 2, connectMs: 5_000 };
/** Part size in bytes. S3 accepts 5 MB to 5 GB and 10,000 parts, so up to 80 GB per blob. */
const partBytes = 8 * 1024 * 1024;

const statusOf = (fault: unknown): number | undefined =>
  (fault as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
const isMissing = (fault: unknown): boolean => statusOf(fault) === 404;

/** Names that MinIO and Ceph give a refusal because the disks or the quota are full. */
const fullNames = new Set(["XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded"]);
function describe(fault: unknown): unknown {
  const status = statusOf(fault);
  if (status === 507 || (fault instanceof Error && fullNames.has(fault.name)))
    return new BlobStoreFullError("S3", fault);
  // Without a status, there was no reply.
  return (status ?? 500) >= 500 ? new BlobStoreUnreachableError("S3", fault) : fault;
}

type Sdk = typeof import("@aws-sdk/client-s3");

/**
 * Splits a stream into parts of `partBytes`, with a shorter last one; an empty stream yields one
 * empty part.
 */
async function* inParts(body: Readable): AsyncIterable<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let any = false;
  for await (const piece of body as AsyncIterable<Buffer | string>) {
    let rest = typeof piece === "string" ? Buffer.from(piece) : piece;
    while (bytes + rest.length >= partBytes) {
      const room = partBytes - bytes;
      yield Buffer.concat([...held, rest.subarray(0, room)]);
      any = true;
      rest = rest.subarray(room);
      held = [];
      bytes = 0;
    }
    if (rest.length > 0) {
      held.push(rest);
      bytes += rest.length;
    }
  }
  if (bytes > 0 || !any) yield Buffer.concat(held);
}

/** Blobs in a bucket. S3 shows an object only when its upload is complete, so put is atomic. */
export class S3BlobStore implements BlobStore {
  private readonly bucket: string;
  private readonly prefix: string;
  private opened: { sdk: Sdk; client: S3Client } | undefined;

  constructor(private readonly config: S3Config) {
    this.bucket = config.bucket;
    this.prefix = config.prefix ?? "";
    if (config.endpoint) requireProviderHost(new URL(config.endpoint).hostname);
  }

  /** The SDK takes 32 MB of memory, so it is only loaded if S3 is used. */
  private async open(): Promise<{ sdk: Sdk; client: S3Client }> {
    if (this.opened) return this.opened;
    const sdk = await import("@aws-sdk/client-s3");
    return (this.opened ??= { sdk, client: this.createClient(sdk) });
  }

  private createClient(sdk: Sdk): S3Client {
    const client = this.configureClient(sdk);
    client.middlewareStack.add(
      (next) => (call) =>
        next(call).catch((fault: unknown) => {
          throw describe(fault);
        }),
      { step: "initialize" },
    );
    return client;
  }

  private configureClient(sdk: Sdk): S3Client {
    const { region, endpoint, forcePathStyle, accessKeyId, secretAccessKey } = this.config;
    return new sdk.S3Client({
      region: region ?? "us-east-1",
      ...(endpoint && { endpoint }),
      maxAttempts: limits.attempts,
      requestHandler: {
        connectionTimeout: limits.connectMs,
        ...createNodeAgents(limits.connectMs),
      },
      forcePathStyle: forcePathStyle ?? endpoint !== undefined,
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
      // Other vendors' stores reject the checksum trailers that newer SDKs add by default.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }

  async put(key: string, body: Readable): Promise<{ bytes: number }> {
    const { sdk, client } = await this.open();
    let upload: string | undefined;
    let first: Buffer | undefined;
    let bytes = 0;
    const parts: { ETag: string | undefined; PartNumber: number }[] = [];
    const send = async (part: Buffer) => {
      const number = parts.length + 1;
      const { ETag } = await client.send(
        new sdk.UploadPartCommand({
          ...this.at(key),
          UploadId: upload,
          PartNumber: number,
          Body: part,
        }),
      );
      parts.push({ ETag, PartNumber: number });
    };
    try {
      for await (const part of inParts(body)) {
        bytes += part.length;
        if (!first) {
          first = part;
          continue;
        }
        if (!upload) {
          upload = (await client.send(new sdk.CreateMultipartUploadCommand(this.at(key)))).UploadId;
          await send(first);
        }
        await send(part);
      }
      if (upload)
        await client.send(
          new sdk.CompleteMultipartUploadCommand({
            ...this.at(key),
            UploadId: upload,
            MultipartUpload: { Parts: parts },
          }),
        );
      else
        await client.send(
          new sdk.PutObjectCommand({ ...this.at(key), Body: first ?? Buffer.alloc(0) }),
        );
      return { bytes };
    } catch (fault) {
      body.destroy();
      if (upload) await this.abandon(key, upload);
      throw fault;
    }
  }

  /** A failed clean-up must not hide why the put failed; `removeUnfinished` retries it later. */
  private async abandon(key: string, upload: string): Promise<boolean> {
    const { sdk, client } = await this.open();
    try {
      await client.send(new sdk.AbortMultipartUploadCommand({ ...this.at(key), UploadId: upload }));
      return true;
    } catch {
      return false;
    }
  }

  async get(key: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }> {
    const { sdk, client } = await this.open();
    try {
      const reply = await client.send(
        new sdk.GetObjectCommand({
          ...this.at(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      return { body: reply.Body as Readable, bytes: reply.ContentLength ?? 0 };
    } catch (fault) {
      if (isMissing(fault)) throw new BlobMissingError(key);
      // The range starts beyond the end: return nothing, as on disk.
      if (statusOf(fault) === 416) return { body: Readable.from([]), bytes: 0 };
      throw fault;
    }
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    const { sdk, client } = await this.open();
    try {
      return {
        bytes: (await client.send(new sdk.HeadObjectCommand(this.at(key)))).ContentLength ?? 0,
      };
    } catch (fault) {
      if (isMissing(fault)) return null;
      throw fault;
    }
  }

  async delete(key: string): Promise<void> {
    const { sdk, client } = await this.open();
    await client.send(new sdk.DeleteObjectCommand(this.at(key)));
  }

  /**
   * Copies within the store (5 GB at most), then deletes the old object: a crash in between leaves
   * both, never none.
   */
  async move(from: string, to: string): Promise<void> {
    const { sdk, client } = await this.open();
    try {
      await client.send(
        new sdk.CopyObjectCommand({
          ...this.at(to),
          CopySource: `${this.bucket}/${this.prefix}${from}`,
        }),
      );
    } catch (fault) {
      throw isMissing(fault) ? new BlobMissingError(from) : fault;
    }
    await this.delete(from);
  }

  async *list(prefix: string, options: { updatedBefore?: Date } = {}): AsyncIterable<string> {
    const { sdk, client } = await this.open();
    let token: string | undefined;
    do {
      const page = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: this.bucket,
          Prefix: this.prefix + prefix,
          ContinuationToken: token,
        }),
      );
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (
          Key === undefined ||
          (options.updatedBefore && LastModified && LastModified >= options.updatedBefore)
        )
          continue;
        yield Key.slice(this.prefix.length);
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }

  async removeUnfinished(before: Date): Promise<number> {
    const { sdk, client } = await this.open();
    const { Uploads = [] } = await client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix }),
    );
    let removed = 0;
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (!Key || !UploadId || (Initiated && Initiated >= before)) continue;
      if (await this.abandon(Key.slice(this.prefix.length), UploadId)) removed++;
    }
    return removed;
  }
}
