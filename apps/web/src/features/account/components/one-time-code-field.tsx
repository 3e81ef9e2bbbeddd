import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../components/ui/text-field.tsx";

/** The code from the authenticator app. */
export function OneTimeCodeField(
  props: Pick<ComponentProps<typeof TextField>, "problem" | "autoFocus" | "name" | "ref"> &
    Pick<ComponentProps<"input">, "onChange" | "onBlur">,
) {
  const { t } = useTranslation("account");
  return (
    <TextField
      className="max-w-[360px] max-md:max-w-none"
      label={t("factor.code")}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      {...props}
    />
  );
}
