import {
  maxModelOverrides,
  modelAbilities,
  modelPriceNames,
  type ModelOverride,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Card } from "../../../components/usage-figures.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { overridesQuery } from "../api/overrides.ts";
import { limits } from "../state/override-form.ts";
import { OverrideDialog } from "./override-dialog.tsx";

const values = [...limits, ...modelAbilities, ...modelPriceNames] as const;

type Translate = ReturnType<typeof useTranslation<"usage">>["t"];

function formatValue(t: Translate, name: string, value: number | boolean): string {
  if (typeof value === "boolean") return t(value ? "models.yes" : "models.no");
  return (limits as readonly string[]).includes(name)
    ? formatNumber(value)
    : `$${formatNumber(value, 6)}`;
}

/** Facts from admins that override the catalogue's. */
export function OverridesSection() {
  const { t } = useTranslation("usage");
  const overrides = useQuery(overridesQuery);
  const declared = useQuery(providersQuery);
  const [edited, setEdited] = useState<ModelOverride | "new" | null>(null);
  const names = new Map(
    declared.data?.providers
      .filter(({ kind }) => kind !== "vector")
      .map(({ id, name }) => [id, name]),
  );
  const failed = overrides.error ? overrides : declared;
  return (
    <Card
      title={t("models.title")}
      head={
        <Button
          size="sm"
          disabled={!overrides.data || !declared.data || overrides.data.length >= maxModelOverrides}
          onClick={() => setEdited("new")}
        >
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("models.add")}
        </Button>
      }
    >
      <p className="max-w-[80ch] text-xs text-fg-3">{t("models.text")}</p>
      {failed.error && (
        <FailedQuery
          title={t("models.loadFailed")}
          retryLabel={t("retry")}
          error={failed.error}
          retry={() => void failed.refetch()}
        />
      )}
      {overrides.data?.length === 0 && <p className="mt-3 text-fg-2">{t("models.none")}</p>}
      {overrides.data && overrides.data.length > 0 && (
        <div
          className="mt-3 overflow-x-auto"
          tabIndex={0}
          role="group"
          aria-label={t("models.title")}
        >
          <table className="w-full text-start">
            <thead>
              <tr className="text-xs text-fg-3">
                {(["provider", "model", "values"] as const).map((column) => (
                  <th key={column} scope="col" className="py-1.5 pe-4 text-start font-medium">
                    {t(`models.${column}`)}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {overrides.data.map((override) => (
                <tr
                  key={JSON.stringify([override.provider, override.model])}
                  className="border-t border-subtle"
                >
                  <td className="py-2 pe-4">{names.get(override.provider) ?? override.provider}</td>
                  <td className="py-2 pe-4 wrap-anywhere" dir="ltr">
                    {override.model}
                  </td>
                  <td className="py-2 pe-4">
                    <ul className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
                      {values
                        .filter((name) => override[name] !== undefined)
                        .map((name) => (
                          <li key={name}>
                            <span className="text-fg-3">{t(`models.${name}`)}</span>{" "}
                            {formatValue(t, name, override[name]!)}
                          </li>
                        ))}
                    </ul>
                  </td>
                  <td className="py-2 text-end">
                    <Button
                      size="sm"
                      aria-label={t("models.editNamed", { name: override.model })}
                      onClick={() => setEdited(override)}
                    >
                      {t("models.edit")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== null && overrides.data && (
        <OverrideDialog
          override={edited === "new" ? null : edited}
          overrides={overrides.data}
          providers={[...names].map(([id, name]) => ({ id, name }))}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}
