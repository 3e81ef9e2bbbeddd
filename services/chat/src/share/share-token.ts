import { createHmac, randomBytes } from "node:crypto";
import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

/** Tokens of links: 256 random bits. Stored as HMACs only, like all random secrets. */
@Injectable()
export class ShareTokens {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: InstanceConfig) {
    this.key = deriveKey(instanceSecret(config), "secrets", "share-links");
  }

  create(): string {
    return randomBytes(32).toString("base64url");
  }

  hash(token: string): string {
    return createHmac("sha256", this.key).update(token).digest("base64url");
  }
}
