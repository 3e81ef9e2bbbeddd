import { readFileSync } from "node:fs";
import { CarrelError, type Out, type Scope, type getPasswordRules } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { AuthConfig } from "../auth.config.ts";
import { OwnerCheck, type OwnerProof } from "./owner-check.ts";
import { PasswordHasher } from "./password-hasher.ts";

const commonPasswords = new URL("./common-passwords.txt", import.meta.url);
let known: ReadonlySet<string> | undefined;

/**
 * Whether guessing programs try this password first, in any case. The list is zxcvbn-ts's
 * (`tools/write-common-passwords.mjs`); read when someone first chooses a password.
 */
function isCommonPassword(password: string): boolean {
  known ??= new Set(readFileSync(commonPasswords, "utf8").split("\n"));
  return known.has(password.normalize("NFKC").toLowerCase());
}

const shortest = 8;
const longest = 250;

/**
 * Why a new password is refused regardless of configuration, or null.
 * Applies to the instance password.
 */
export function refusePassword(
  password: string,
  bounds: { shortest: number; longest: number } = { shortest, longest },
): CarrelError | null {
  const length = [...password].length;
  if (length < bounds.shortest)
    return new CarrelError("password.too-short", { limit: bounds.shortest });
  if (length > bounds.longest)
    return new CarrelError("password.too-long", { limit: bounds.longest });
  // Control, format-breaking and unassigned characters cannot be typed again reliably.
  if (/[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(password))
    return new CarrelError("password.unprintable");
  if (password.trim() === "") return new CarrelError("password.blank");
  if (isCommonPassword(password)) return new CarrelError("password.common");
  return null;
}

const kinds = [
  { variable: "PASSWORDLOWERCASE", pattern: /\p{Ll}/gu, noun: "lower-case letter" },
  { variable: "PASSWORDUPPERCASE", pattern: /\p{Lu}/gu, noun: "upper-case letter" },
  { variable: "PASSWORDNUMERIC", pattern: /\p{Nd}/gu, noun: "digit" },
  { variable: "PASSWORDSYMBOL", pattern: /[^\p{L}\p{Nd}\s]/gu, noun: "symbol" },
] as const;

/** Rules for user passwords: the rules for every password plus the PASSWORD* variables. */
@Injectable()
export class PasswordRules {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /** Describes the rules to someone who is about to choose a password. */
  describe(): Out<typeof getPasswordRules> {
    const { PASSWORDMINCHAR, PASSWORDMAXCHAR, PASSWORDREQUIREMENTS } = this.config;
    const kindsNeeded = kinds.filter(({ variable }) => this.config[variable] > 0).length;
    return {
      shortest: PASSWORDMINCHAR,
      longest: Math.max(PASSWORDMAXCHAR, PASSWORDMINCHAR),
      lowercase: this.config.PASSWORDLOWERCASE,
      uppercase: this.config.PASSWORDUPPERCASE,
      digits: this.config.PASSWORDNUMERIC,
      symbols: this.config.PASSWORDSYMBOL,
      needed:
        PASSWORDREQUIREMENTS === 0 ? kindsNeeded : Math.min(PASSWORDREQUIREMENTS, kindsNeeded),
    };
  }

  /** Why a user's new password is refused, or null. */
  refuse(password: string): CarrelError | null {
    const { PASSWORDMINCHAR, PASSWORDMAXCHAR, PASSWORDREQUIREMENTS } = this.config;
    const refusal = refusePassword(password, {
      shortest: PASSWORDMINCHAR,
      longest: Math.max(PASSWORDMAXCHAR, PASSWORDMINCHAR),
    });
    if (refusal !== null) return refusal;
    const needed = kinds.filter(({ variable }) => this.config[variable] > 0);
    const unmet = needed.filter(
      ({ variable, pattern }) => (password.match(pattern)?.length ?? 0) < this.config[variable],
    );
    const mustMeet =
      PASSWORDREQUIREMENTS === 0 ? needed.length : Math.min(PASSWORDREQUIREMENTS, needed.length);
    if (needed.length - unmet.length >= mustMeet) return null;
    const requirements = unmet
      .map(
        ({ variable, noun }) =>
          `at least ${this.config[variable]} ${noun}${this.config[variable] === 1 ? "" : "s"}`,
      )
      .join(mustMeet === needed.length ? " and " : " or ");
    return new CarrelError("password.too-simple", {
      requirements,
      lowercase: this.config.PASSWORDLOWERCASE,
      uppercase: this.config.PASSWORDUPPERCASE,
      digits: this.config.PASSWORDNUMERIC,
      symbols: this.config.PASSWORDSYMBOL,
      needed: mustMeet,
    });
  }
}

/** Checks and hashes the passwords people choose for their accounts. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly rules: PasswordRules,
    private readonly hasher: PasswordHasher,
    private readonly owner: OwnerCheck,
  ) {}

  /** Before changing one's own password; see `OwnerCheck`. */
  async confirmOwner(scope: Scope, proof: OwnerProof): Promise<void> {
    await this.owner.confirm(scope, proof);
  }

  /** Throws the reason if the rules refuse the password. */
  check(password: string): void {
    const refusal = this.rules.refuse(password);
    if (refusal !== null) throw refusal;
  }

  /** Hashes a checked password; throws BUSY like `PasswordHasher`. */
  hash(password: string): Promise<string> {
    return this.hasher.hash(password);
  }
}
