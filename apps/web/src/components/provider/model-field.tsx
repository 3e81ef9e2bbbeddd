import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../lib/format.ts";
import type { ModelOption } from "../../lib/providers.ts";
import { Combobox } from "../ui/combobox.tsx";
import { FieldHelp } from "../ui/field.tsx";

/** The models that a provider offers; null until requested. */
export interface ModelListing {
  models: ModelOption[] | null;
  /** What must be entered before they can be listed. */
  awaits: "address" | "key" | null;
  loading: boolean;
  error: Error | null;
  load: () => void;
  onPick: (model: ModelOption) => void;
}

/** A model's name, from the provider's list or as typed. */
export function ModelField({
  listing: { models, awaits, loading, error, load, onPick },
  ...field
}: {
  listing: ModelListing;
  value: string;
} & Omit<
  ComponentProps<typeof Combobox>,
  "options" | "listLabel" | "status" | "onOpen" | "onPick" | "value"
>) {
  const { t } = useTranslation("settings");
  return (
    <>
      <Combobox
        {...field}
        placeholder={
          awaits !== null
            ? t(`models.awaits.${awaits}`)
            : loading
              ? t("models.loading")
              : field.placeholder
        }
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        listLabel={t("models.list")}
        options={(models ?? []).map(({ id, name, contextWindow }) => ({
          value: id,
          text: name,
          hint:
            contextWindow === null
              ? null
              : t("models.tokens", { text: formatNumber(contextWindow) }),
        }))}
        status={(found) =>
          loading
            ? t("models.loading")
            : models?.length === 0
              ? t("models.none")
              : models !== null && found === 0
                ? t("models.unlisted")
                : null
        }
        onOpen={load}
        onPick={({ value }) => {
          const model = models?.find(({ id }) => id === value);
          if (model) onPick(model);
        }}
      />
      {/* In the page's flow, because on top, like the list, it would cover a test's result below. */}
      {error && (
        <FieldHelp role="status">{t("models.failed", { message: error.message })}</FieldHelp>
      )}
    </>
  );
}
