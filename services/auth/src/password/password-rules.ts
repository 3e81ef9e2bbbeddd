import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { AuthConfig } from "../auth.config.ts";

const shortest = 8;
const longest = 250;

/**
 * Why a new password is refused regardless of configuration, as a message for the user, or null.
 * Applies to the instance password.
 */
export function refusePassword(
  password: string,
  bounds: { shortest: number; longest: number } = { shortest, longest },
): string | null {
  const length = [...password].length;
  if (length < bounds.shortest) return `Password must be at least ${bounds.shortest} characters.`;
  if (length > bounds.longest)
    return `Password cannot be longer than ${bounds.longest} characters.`;
  // Control, format-breaking and unassigned characters cannot be typed again reliably.
  if (/[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(password))
    return "Password may only contain printable characters.";
  if (password.trim() === "") return "Password cannot be blank.";
  return null;
}

const kinds = [
  { variable: "PASSWORDLOWERCASE", pattern: /\p{Ll}/gu, noun: "lower-case letter" },
  { variable: "PASSWORDUPPERCASE", pattern: /\p{Lu}/gu, noun: "upper-case letter" },
  { variable: "PASSWORDNUMERIC", pattern: /\p{Nd}/gu, noun: "digit" },
  { variable: "PASSWORDSYMBOL", pattern: /[^\p{L}\p{Nd}\s]/gu, noun: "symbol" },
] as const;

/** Rules for user passwords: those of every password plus the PASSWORD* variables. */
@Injectable()
export class PasswordRules {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /** Why a user's new password is refused, as a message for the user, or null. */
  refuse(password: string): string | null {
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
    return `Password must contain ${unmet.map(({ variable, noun }) => `at least ${this.config[variable]} ${noun}${this.config[variable] === 1 ? "" : "s"}`).join(mustMeet === needed.length ? " and " : " or ")}.`;
  }
}
