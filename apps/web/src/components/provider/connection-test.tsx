import type { UseMutationResult } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatNumber, formatSeconds } from "../../lib/format.ts";
import { isConnectionFault, isSettingFault, type ConnectionResult } from "../../lib/providers.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";

/** Makes a tiny call to a provider and shows how long it took or what is wrong. */
export function ConnectionTest({
  test,
  onTest,
  onSaveAnyway,
}: {
  test: Pick<UseMutationResult<ConnectionResult>, "data" | "error" | "isPending">;
  onTest: () => void;
  /** null without unsaved edits. */
  onSaveAnyway: (() => void) | null;
}) {
  const { t } = useTranslation("settings");
  const unreachable = isConnectionFault(test.error);
  return (
    <Field>
      <div className="flex items-center gap-2">
        <Button disabled={test.isPending} onClick={onTest}>
          {test.isPending ? t("testing") : t("test")}
        </Button>
      </div>
      <div role="status">
        {test.data && (
          <p className="flex flex-wrap items-center gap-[5px] text-xs text-success">
            <Check className="size-3.5 stroke-2" aria-hidden="true" />
            {t(test.data.dimensions === null ? "works.language" : "works.embedding", {
              model: test.data.model,
              time: formatSeconds(test.data.milliseconds / 1000),
              dimensions: formatNumber(test.data.dimensions ?? 0),
            })}
          </p>
        )}
      </div>
      {test.error && (
        <Notice
          kind="bad"
          action={
            onSaveAnyway &&
            !isSettingFault(test.error) && (
              <Button size="sm" onClick={onSaveAnyway}>
                {t("saveAnyway")}
              </Button>
            )
          }
        >
          <p>
            <b>{unreachable ? t("testUnreachable") : t("testFailed")}</b>
          </p>
          <p>
            {test.error.message} {unreachable && t("testUnreachableHelp")}
          </p>
        </Notice>
      )}
    </Field>
  );
}
