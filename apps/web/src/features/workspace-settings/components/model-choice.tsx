import { quotingProvider } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp, FieldLabel, Select } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { joinPhrases } from "../../../lib/format.ts";
import { readyProvidersQuery } from "../../../lib/providers.ts";

interface Choice {
  provider: string;
  model: string;
}

/**
 * Which model answers: the instance's default, or one of the configured providers. The saved choice
 * stays listed even if it is no longer available.
 */
export function ModelChoice({
  slug,
  provider,
  model,
  saved,
  standard,
  onChange,
}: {
  slug: string;
  provider: string;
  model: string;
  saved: Choice;
  /** What no choice means; by default the instance's model. */
  standard?: string;
  onChange: (provider: string, model: string) => void;
}) {
  const { t } = useTranslation("workspace");
  const id = useId();
  const ready = useQuery(readyProvidersQuery(slug));
  if (ready.error)
    return (
      <Notice
        kind="bad"
        action={
          <Button size="sm" onClick={() => void ready.refetch()}>
            {t("retry")}
          </Button>
        }
      >
        <p>
          <b>{t("providersFailed")}</b> {ready.error.message}
        </p>
      </Notice>
    );
  const providers = ready.data?.providers ?? [];
  const instance = ready.data?.instance;
  const nameOf = (wanted: string): string =>
    providers.find((each) => each.id === wanted)?.name ?? wanted;
  const chosen = providers.find((each) => each.id === provider);
  const lost = [...new Set([provider, saved.provider])].filter(
    (each) => each !== "" && !providers.some((known) => known.id === each),
  );
  const models = chosen?.models ?? [];
  const others = [...new Set([model, saved.provider === provider ? saved.model : ""])].filter(
    (each) => each !== "" && !models.some((known) => known.id === each),
  );
  const own = chosen?.model ? t("modelOfProvider", { model: chosen.model }) : t("modelUnset");
  const hasModel = provider !== "" && provider !== quotingProvider;
  return (
    <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
      <Field>
        <FieldLabel htmlFor={id}>{t("provider")}</FieldLabel>
        <Select
          id={id}
          value={provider}
          disabled={ready.isPending}
          aria-describedby={`${id}-help`}
          onChange={(event) =>
            onChange(event.target.value, event.target.value === saved.provider ? saved.model : "")
          }
        >
          <option value="">{standard ?? t("systemDefault")}</option>
          {lost.map((each) => (
            <option key={each} value={each}>
              {ready.isPending ? each : t("providerLost", { name: each })}
            </option>
          ))}
          {providers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
        <FieldHelp id={`${id}-help`}>
          {ready.isPending
            ? t("providersLoading")
            : provider === "" && standard !== undefined
              ? null
              : provider === "" && instance
                ? t("systemDefaultIs", {
                    name: joinPhrases([nameOf(instance.provider), instance.model]),
                  })
                : chosen
                  ? t("providerOwn")
                  : t("providerLostHelp")}
        </FieldHelp>
      </Field>
      {hasModel &&
        (models.length > 0 ? (
          <Field>
            <FieldLabel htmlFor={`${id}-model`}>{t("modelName")}</FieldLabel>
            <Select
              id={`${id}-model`}
              value={model}
              onChange={(event) => onChange(provider, event.target.value)}
            >
              <option value="">{own}</option>
              {others.map((each) => (
                <option key={each} value={each}>
                  {t("modelLost", { model: each })}
                </option>
              ))}
              {models.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </Select>
          </Field>
        ) : (
          <TextField
            label={t("modelName")}
            value={model}
            placeholder={chosen?.model ?? undefined}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            help={ready.isPending ? undefined : t("modelsNone")}
            onChange={(event) => onChange(provider, event.target.value)}
          />
        ))}
    </div>
  );
}
