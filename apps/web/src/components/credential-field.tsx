import { useState, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { CredentialFault } from "../lib/credential-rules.ts";
import { TextField } from "./ui/text-field.tsx";

/** Faults that may disappear as somebody keeps typing; shown once the field is left. */
const unfinished: ReadonlySet<CredentialFault> = new Set([
  "nameShort",
  "nameShortFirstAdmin",
  "passwordShort",
  "passwordBlank",
]);

/** A new name or password, validated while it is typed. */
export function CredentialField({
  fault,
  isChecked = false,
  problem,
  ...field
}: {
  /** What is wrong with the current value. */
  fault: CredentialFault | null;
  /** Submitting was attempted, so an empty field is an error, too. */
  isChecked?: boolean;
} & ComponentProps<typeof TextField>) {
  const { t } = useTranslation();
  const [wasLeft, setLeft] = useState(false);
  const isShown = isChecked || (field.value !== "" && (wasLeft || !unfinished.has(fault!)));
  return (
    <TextField
      {...field}
      problem={fault !== null && isShown ? t(`credential.${fault}`) : problem}
      onBlur={() => setLeft(true)}
    />
  );
}
