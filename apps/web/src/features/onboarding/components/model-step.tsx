import { embeddingDownloadKey, quotingProvider, type ProviderDeclaration } from "@carrel/contracts";
import { sourceLanguage } from "@carrel/contracts/languages";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { ArrowRight, CircleCheck } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import {
  readNativeState,
  type NativeState,
} from "../../../components/provider/provider-notices.tsx";
import { ProviderTile } from "../../../components/provider/provider-tile.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Switch } from "../../../components/ui/choices.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SearchField, SelectField } from "../../../components/ui/text-field.tsx";
import { readLanguage } from "../../../lib/active-language.ts";
import {
  localModelKey,
  localModelsQuery,
  localProvider,
  useDownloadModel,
} from "../../../lib/local-models.ts";
import { shortModelName } from "../../../lib/model-name.ts";
import { findProviders, providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import "../../../lib/settings-texts.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { CredentialForm } from "./credential-form.tsx";
import { LocalModelChoice, choicesOf, preselect, type LocalChoice } from "./local-model-choice.tsx";
import { StartWithoutKey, StepPage } from "./onboarding-frame.tsx";

type DocumentsLanguage = "english" | "other";
const embeddingModelKey = "EmbeddingModelPref";

/** The saved choice, otherwise the interface's language, in which most documents are. */
function initialLanguage(saved: unknown): DocumentsLanguage {
  if (typeof saved === "string") return isMultilingual(saved) ? "other" : "english";
  return readLanguage() === sourceLanguage ? "english" : "other";
}

/**
 * The built-in embedding model for each choice; null if the instance doesn't offer both, or another
 * model was chosen elsewhere.
 */
function modelsOf(
  native: ProviderDeclaration | undefined,
  saved: unknown,
): Record<DocumentsLanguage, string> | null {
  const options = native?.fields.find(({ key }) => key === embeddingModelKey)?.options ?? [];
  const [english, other] = [options[0], options.find(isMultilingual)];
  if (english === undefined || other === undefined) return null;
  return typeof saved === "string" && saved !== english && saved !== other
    ? null
    : { english, other };
}

const isMultilingual = (model: string): boolean => model.includes("multilingual");

/** Chooses the built-in embedding model by the language of the documents. */
function DocumentsLanguageField({
  models,
  value,
  onChange,
}: {
  models: Record<DocumentsLanguage, string>;
  value: DocumentsLanguage;
  onChange: (value: DocumentsLanguage) => void;
}) {
  const { t } = useTranslation("onboarding");
  return (
    <div className="grid gap-1.5">
      <SelectField
        label={t("model.documents")}
        value={value}
        onChange={(chosen) => onChange(chosen as DocumentsLanguage)}
      >
        {(["english", "other"] as const).map((language) => (
          <option key={language} value={language}>
            {t(`model.documentsIn.${language}`)}
          </option>
        ))}
      </SelectField>
      <FieldHelp>
        {t(`model.documentsHelp.${value}`, { model: shortModelName(models[value]) })}
      </FieldHelp>
    </div>
  );
}

/** Preselected on a new instance (specification 2, section 9). */
const usualProvider = "openai";

/** Chooses the language model and, with it, the built-in embedder and vector database. */
export function ModelStep({
  onDone,
  onStarted,
}: {
  onDone: () => void;
  onStarted: (slug: string) => void;
}) {
  const { t } = useTranslation(["onboarding", "local-models"]);
  const { data: known } = useSuspenseQuery(providersQuery);
  const { data: saved } = useSuspenseQuery(setupQuery);
  const settings = useSaveSettings();
  const { data: localModels } = useQuery(localModelsQuery);
  const modelDownload = useDownloadModel();
  const [localChoice, setLocalChoice] = useState<LocalChoice | null>(null);
  const [selected, setSelected] = useState(
    known.language.chosen ? known.language.provider : usualProvider,
  );
  const isLocalOffered = localModels?.isOn === true && choicesOf(localModels).length > 0;
  const providers = known.providers.filter(
    ({ kind, id }) => kind === "language" && (id !== localProvider || isLocalOffered),
  );
  const [language, setLanguage] = useState(() => initialLanguage(saved[embeddingModelKey]));
  const [isDownloadWanted, setDownloadWanted] = useState(saved[embeddingDownloadKey] !== "off");
  const provider = providers.find(({ id }) => id === selected) ?? providers[0];
  if (!provider) return null;
  /**
   * Other embedders were chosen on purpose, elsewhere; replacing them would re-index all documents.
   */
  const isNative = known.embedding.provider === "native";
  const embedders =
    isNative && !known.locked.includes(embeddingModelKey)
      ? modelsOf(
          known.providers.find(({ kind, id }) => kind === "embedding" && id === "native"),
          saved[embeddingModelKey],
        )
      : null;
  const native = isNative ? readNativeState(saved) : null;
  // The known state is that of the saved model.
  const isSavedModel = embedders === null || embedders[language] === saved[embeddingModelKey];
  const isDownloadDisabled = native?.state === "off" && saved[embeddingDownloadKey] !== "off";
  const download: Record<string, string> =
    isDownloadWanted === (saved[embeddingDownloadKey] !== "off") ||
    known.locked.includes(embeddingDownloadKey)
      ? {}
      : { [embeddingDownloadKey]: isDownloadWanted ? "on" : "off" };
  const builtIn = Object.entries({
    ...download,
    ...(isNative && { EmbeddingEngine: "native" }),
    ...(embedders && { [embeddingModelKey]: embedders[language] }),
    ...(known.vector.provider === "lancedb" && { VectorDB: "lancedb" }),
  }).filter(([key]) => !known.locked.includes(key));
  const chosenModel = localChoice ?? (localModels ? preselect(localModels) : null);
  /** Uses an installed model at once, and another one when it is downloaded. */
  const startLocal = ({ id, file }: LocalChoice): void => {
    const base = Object.fromEntries(builtIn);
    const save = (values: Record<string, string>): void =>
      Object.keys(values).length > 0 ? settings.mutate(values, { onSuccess: onDone }) : onDone();
    if (id === null) save({ ...base, LLMProvider: localProvider, [localModelKey]: file });
    else {
      // Nothing leaves the server in the meantime either.
      const meanwhile: Record<string, string> = known.locked.includes("LLMProvider")
        ? {}
        : { LLMProvider: quotingProvider };
      modelDownload.mutate(
        { id, useWhenReady: true },
        { onSuccess: () => save({ ...base, ...meanwhile }) },
      );
    }
  };
  const isBusy = settings.isPending || modelDownload.isPending;
  return (
    <StepPage
      title={t("model.title")}
      sentence={t("model.sentence")}
      back="home"
      footer={
        <>
          <span className="text-fg-3 max-lg:hidden">{t("model.noKey")}</span>
          <StartWithoutKey
            variant="quiet"
            settings={{
              ...download,
              ...(embedders && { [embeddingModelKey]: embedders[language] }),
            }}
            onCreated={onStarted}
          />
          <Button type="submit" form="credentials" variant="primary" disabled={isBusy}>
            {isBusy ? t("saving") : t("continue")}
            <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
          </Button>
        </>
      }
    >
      <ProviderCards
        providers={providers}
        selected={provider.id}
        onSelect={(id) => {
          setSelected(id);
          settings.reset();
        }}
      />
      <div className="mt-5 grid grid-cols-1 gap-4 rounded-md border border-line p-5 max-md:p-4">
        <h2 className="text-md font-semibold">{provider.name}</h2>
        {provider.id === localProvider && localModels ? (
          <form
            id="credentials"
            className="grid grid-cols-1 gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (chosenModel) startLocal(chosenModel);
            }}
          >
            <LocalModelChoice
              models={localModels}
              chosen={chosenModel?.file ?? null}
              onChoose={setLocalChoice}
            />
          </form>
        ) : (
          <CredentialForm
            key={provider.id}
            id="credentials"
            provider={provider}
            saved={saved}
            locked={known.locked}
            inUse={known.language.chosen && known.language.provider === provider.id}
            onSave={(changes) =>
              settings.mutate({ ...Object.fromEntries(builtIn), ...changes }, { onSuccess: onDone })
            }
          />
        )}
        {embedders && (
          <DocumentsLanguageField models={embedders} value={language} onChange={setLanguage} />
        )}
        {native && (
          <EmbedderDownload
            native={
              isSavedModel || native.state === "off"
                ? native
                : { state: "missing", fault: null, progress: null }
            }
            isWanted={isDownloadDisabled ? null : isDownloadWanted}
            onChange={setDownloadWanted}
          />
        )}
        {settings.error && (
          <Notice kind="bad">
            <p>{t("model.failed", { message: settings.error.message })}</p>
          </Notice>
        )}
      </div>
    </StepPage>
  );
}

/** Says whether the built-in embedder's model is there and, if not, asks whether to download it. */
function EmbedderDownload({
  native,
  isWanted,
  onChange,
}: {
  native: NativeState;
  /** Whether it may be downloaded; null if the server doesn't allow it. */
  isWanted: boolean | null;
  onChange: (isWanted: boolean) => void;
}) {
  const { t } = useTranslation("onboarding");
  const [label, help] = [useId(), useId()];
  if (native.state === "ready" || native.state === "downloading")
    return <FieldHelp>{t(`model.embedder.${native.state}`)}</FieldHelp>;
  if (isWanted === null) return <FieldHelp>{t("model.embedder.disabled")}</FieldHelp>;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-4">
        <span className="font-medium" id={label}>
          {t("model.embedder.download")}
        </span>
        <Switch
          checked={isWanted}
          onChange={onChange}
          aria-labelledby={label}
          aria-describedby={help}
        />
      </div>
      <FieldHelp id={help}>
        {isWanted && native.fault?.code === "embedder.download-failed" ? (
          <FaultText fault={native.fault} fallback={t("model.embedder.on")} />
        ) : (
          t(isWanted ? "model.embedder.on" : "model.embedder.off")
        )}
      </FieldHelp>
    </div>
  );
}

/** Providers to choose from, at most 390 px high (specification 2, section 9), filtered by name. */
function ProviderCards({
  providers,
  selected,
  onSelect,
}: {
  providers: ProviderDeclaration[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  const { t } = useTranslation(["onboarding", "settings", "local-models"]);
  const [term, setTerm] = useState("");
  const found = findProviders(providers, term);
  return (
    <>
      <SearchField
        className="mb-3 h-9 max-md:h-11"
        label={t("settings:searchProvidersLabel")}
        placeholder={t("settings:searchProviders", { count: providers.length })}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
      />
      {found.length === 0 && (
        <p className="text-fg-3" role="status">
          {t("settings:noProvider", { term: term.trim() })}
        </p>
      )}
      <div
        className="-m-1 grid max-h-[390px] grid-cols-[repeat(auto-fill,minmax(200px,1fr))] gap-2 overflow-auto p-1 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent max-md:max-h-[264px] max-md:grid-cols-[minmax(0,1fr)] max-md:gap-1.5"
        role="radiogroup"
        aria-label={t("model.providers")}
      >
        {found.map((provider) => (
          <label
            key={provider.id}
            data-local={provider.id === localProvider || undefined}
            className="group/card relative flex min-h-14 data-local:col-span-full data-local:py-2.5 cursor-pointer items-center gap-2.5 rounded-md border border-line bg-surface px-3 hover:border-strong hover:bg-hover has-checked:border-accent-solid has-checked:bg-accent-subtle has-checked:inset-ring has-checked:inset-ring-accent-solid has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:min-h-12"
          >
            <input
              type="radio"
              name="provider"
              className="absolute inset-0 cursor-pointer opacity-0"
              value={provider.id}
              checked={provider.id === selected}
              onChange={() => onSelect(provider.id)}
            />
            <ProviderTile provider={provider} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" title={provider.name}>
                {provider.name}
              </span>
              <span className="block text-xs text-fg-3 group-has-checked/card:text-fg-2">
                {provider.id === localProvider
                  ? t("local-models:sentence")
                  : t(`settings:group.${provider.group}`)}
              </span>
            </span>
            <CircleCheck
              className="text-accent group-not-has-checked/card:hidden"
              aria-hidden="true"
            />
          </label>
        ))}
      </div>
    </>
  );
}
