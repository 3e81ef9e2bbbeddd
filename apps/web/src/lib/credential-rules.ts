import { enableMultiUser, getPasswordRules, updatePassword, type Args } from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ApiError, call } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";

/** Sets the instance password; null removes it. `currentPassword` confirms the change. */
export const useSetPassword = () =>
  useMutation({
    mutationFn: ({
      newPassword,
      currentPassword,
    }: {
      newPassword: string | null;
      currentPassword: string;
    }) =>
      call(updatePassword, {
        ...(newPassword === null ? { usePassword: false } : { usePassword: true, newPassword }),
        currentPassword,
      }),
    gcTime: 0,
    meta: { errorToast: false },
  });

/** Creates the first admin and permanently switches the instance to user accounts. */
export const useEnableUserAccounts = () =>
  useMutation({
    mutationFn: (credentials: Args<typeof enableMultiUser>) => call(enableMultiUser, credentials),
    gcTime: 0,
    meta: { errorToast: false },
  });

const proofFaults = new Set([
  "password.wrong",
  "password.none",
  "password.confirmation-due",
  "password.sign-in-due",
  "second-factor.code-due",
  "second-factor.code-wrong",
]);

/** Whether the password or one-time code that confirms a change of access is wrong. */
export const isProofFault = (error: Error | null): boolean =>
  error instanceof ApiError && proofFaults.has(error.fault?.code ?? "");

const passwordRulesQuery = queryOptions({
  queryKey: instanceKeys.passwordRules,
  queryFn: ({ signal }) => call(getPasswordRules, {}, { signal, expects401: true }),
  staleTime: Infinity,
  retry: false,
});

const characterKinds = ["lowercase", "uppercase", "digits", "symbols"] as const;

/** The rules for an account's password on this instance, in a sentence or two. */
export function usePasswordRule(): string {
  const { t, i18n } = useTranslation();
  const rules = useQuery(passwordRulesQuery).data;
  const length = t("passwordRule.length", { count: rules?.shortest ?? 8 });
  const wanted = characterKinds.flatMap((kind) => {
    const count = rules?.[kind] ?? 0;
    return count === 0 ? [] : [t(`passwordRule.${kind}`, { count })];
  });
  if (rules === undefined || wanted.length === 0) return length;
  const list = new Intl.ListFormat(i18n.language, { type: "unit" }).format(wanted);
  return `${length} ${
    rules.needed < wanted.length
      ? t("passwordRule.some", { count: rules.needed, list })
      : t("passwordRule.all", { list })
  }`;
}

/** Why a new name or password is not accepted; the key of its message in `common:credential`. */
export type CredentialFault =
  | "nameShort"
  | "nameShortFirstAdmin"
  | "nameLong"
  | "nameCharacters"
  | "passwordShort"
  | "passwordLong"
  | "passwordCharacters"
  | "passwordBlank";

const maxNameLength = 64;
const maxPasswordLength = 250;

/**
 * Specification 1, section 5: 2 to 64 lowercase letters, digits, underscores and hyphens, which the
 * server checks, too; at least six for the first admin, which only our app asks for.
 */
export function nameFault(
  name: string,
  options: { firstAdmin?: boolean } = {},
): CredentialFault | null {
  if (options.firstAdmin && name.length < 6) return "nameShortFirstAdmin";
  if (name.length < 2) return "nameShort";
  if (name.length > maxNameLength) return "nameLong";
  return /^[a-z0-9_-]+$/.test(name) ? null : "nameCharacters";
}

/**
 * At least eight characters that can be typed. An instance may require more; the server's message
 * is shown then.
 */
export function passwordFault(password: string): CredentialFault | null {
  const length = [...password].length;
  if (length < 8) return "passwordShort";
  if (length > maxPasswordLength) return "passwordLong";
  if (/[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(password)) return "passwordCharacters";
  return password.trim() === "" ? "passwordBlank" : null;
}

/** Excludes characters that are easily confused on paper. */
const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A random password; the default 20 characters carry 115 bits. */
export function makePassword(length = 20): string {
  const characters: string[] = [];
  // Above this, the remainder would favour the first characters.
  const limit = 256 - (256 % alphabet.length);
  while (characters.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (byte < limit && characters.length < length)
        characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return characters.join("");
}
