import { CarrelError, clipText } from "@carrel/contracts";
import { defineConnector } from "../../connector/connector.ts";
import { childrenOf, childText } from "../../connector/read-xml.ts";
import { endpointOf, S3Client } from "./s3-client.ts";
import { s3Credential, s3Form, s3Settings } from "./s3-form.ts";
import { s3Item, S3Source } from "./s3-source.ts";

/** The files of a bucket on Amazon S3 or a compatible server. */
export const connector = defineConnector({
  id: "s3",
  form: s3Form,
  settings: s3Settings,
  credential: s3Credential,
  item: s3Item,
  nameOf: (settings) =>
    clipText(`${settings.bucket}/${settings.prefix} – ${new URL(endpointOf(settings)).host}`, 200),
  originOf: (settings) => new URL(endpointOf(settings)).origin,
  choices: async (field, settings, credential, context) => {
    if (field !== "bucket") return [];
    const found = await new S3Client(settings, credential, context).listBuckets();
    return childrenOf(found, "Buckets")
      .flatMap((buckets) => childrenOf(buckets, "Bucket"))
      .map((bucket) => childText(bucket, "Name"));
  },
  open: async (settings, credential, context) => {
    if (!settings.bucket) throw new CarrelError("source.setting-invalid", { field: "bucket" });
    return new S3Source(new S3Client(settings, credential, context), settings);
  },
});
