import { getPasswordRules } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";

const passwordRulesQuery = queryOptions({
  queryKey: instanceKeys.passwordRules,
  queryFn: ({ signal }) => call(getPasswordRules, {}, { signal, expects401: true }),
  staleTime: Infinity,
  retry: false,
});

const kinds = ["lowercase", "uppercase", "digits", "symbols"] as const;

/** The rules for an account's password on this instance, in a sentence or two. */
export function usePasswordRule(): string {
  const { t } = useTranslation();
  const rules = useQuery(passwordRulesQuery).data;
  const length = t("passwordRule.length", { count: rules?.shortest ?? 8 });
  const wanted = kinds.flatMap((kind) => {
    const count = rules?.[kind] ?? 0;
    return count === 0 ? [] : [t(`passwordRule.${kind}`, { count })];
  });
  if (rules === undefined || wanted.length === 0) return length;
  const list = wanted.join(t("passwordRule.separator"));
  return `${length} ${
    rules.needed < wanted.length
      ? t("passwordRule.some", { count: rules.needed, list })
      : t("passwordRule.all", { list })
  }`;
}
