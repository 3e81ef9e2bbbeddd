import { embeddingDownloadKey } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { readNativeState } from "../../../lib/native-state.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { ProviderCards } from "./provider-cards.tsx";
import {
  DocumentsLanguageField,
  embeddingModelKey,
  initialLanguage,
  modelsOf,
} from "./documents-language.tsx";
import { EmbedderDownload } from "./embedder-download.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { StartWithoutKey } from "./start-without-key.tsx";
import { StepPage } from "./step-page.tsx";

/** Preselected on a new instance (specification 2, section 9). */
const usualProvider = "openai";

/** Chooses the language model, and with it the built-in embedder and vector database. */
export function ModelStep({
  onDone,
  onStarted,
}: {
  onDone: () => void;
  onStarted: (slug: string) => void;
}) {
  const { t } = useTranslation("onboarding");
  const { data: known } = useSuspenseQuery(providersQuery);
  const { data: saved } = useSuspenseQuery(setupQuery);
  const settings = useSaveSettings();
  const [selected, setSelected] = useState(
    known.language.chosen ? known.language.provider : usualProvider,
  );
  const providers = known.providers.filter(({ kind }) => kind === "language");
  const [language, setLanguage] = useState(() => initialLanguage(saved[embeddingModelKey]));
  const [isDownloadWanted, setDownloadWanted] = useState(saved[embeddingDownloadKey] !== "off");
  const provider = providers.find(({ id }) => id === selected) ?? providers[0];
  if (!provider) return null;
  /** Others were chosen on purpose, elsewhere: replacing them would index all documents again. */
  const isNative = known.embedding.provider === "native";
  const embedders =
    isNative && !known.locked.includes(embeddingModelKey)
      ? modelsOf(
          known.providers.find(({ kind, id }) => kind === "embedding" && id === "native"),
          saved[embeddingModelKey],
        )
      : null;
  const native = isNative ? readNativeState(saved) : null;
  // What is known is about the saved model.
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
          <Button type="submit" form="credentials" variant="primary" disabled={settings.isPending}>
            {settings.isPending ? t("saving") : t("continue")}
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
