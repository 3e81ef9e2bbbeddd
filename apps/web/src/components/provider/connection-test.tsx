import type { UseMutationResult } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { isConnectionFault, type ProviderTest } from "../../lib/providers.ts";

/** Tests a provider's address and key, and says whether it couldn't be reached or refused them. */
export function ConnectionTest({
  test,
  onTest,
  onSaveAnyway,
}: {
  test: Pick<UseMutationResult<ProviderTest>, "data" | "error" | "isPending">;
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
            {t("works", {
              count: test.data.models.length,
              milliseconds: Math.round(test.data.milliseconds),
            })}
          </p>
        )}
      </div>
      {test.error && (
        <Notice
          kind="bad"
          action={
            onSaveAnyway && (
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
