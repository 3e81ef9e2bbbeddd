import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { setupQuery } from "../../../lib/setup.ts";
import { providersQuery } from "../api/providers.ts";
import type { ProviderKind } from "../state/provider-form.ts";
import { ProviderForm } from "./provider-form.tsx";
import { ProviderList } from "./provider-list.tsx";

/** Choosing a provider: those there are, grouped by where the data goes, and the form of one. */
export function ProviderSettings({ kind }: { kind: ProviderKind }) {
  const { t } = useTranslation("settings");
  const providers = useQuery(providersQuery);
  const setup = useQuery(setupQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [listOpen, setListOpen] = useState(false);
  const error = providers.error ?? setup.error;
  if (error)
    return (
      <div className="set-body">
        <Notice
          kind="bad"
          action={
            <button
              type="button"
              className="btn sm"
              onClick={() => {
                void providers.refetch();
                void setup.refetch();
              }}
            >
              {t("retry")}
            </button>
          }
        >
          <p>
            <b>{t("loadFailed")}</b>
          </p>
          <p>{error.message}</p>
        </Notice>
      </div>
    );
  if (!providers.data || !setup.data)
    return (
      <div className="set-body grid content-start gap-4" aria-busy="true" aria-label={t("loading")}>
        {[40, 70, 55].map((width) => (
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  const all = providers.data.providers.filter((provider) => provider.kind === kind);
  const inUse = providers.data[kind].provider;
  const choice = providers.data[kind];
  const picked = !("chosen" in choice) || choice.chosen;
  const provider = all.find((each) => each.id === (chosen ?? inUse)) ?? all[0];
  if (!provider) return null;
  return (
    <div className="set" data-list={listOpen ? "open" : undefined}>
      <ProviderList
        kind={kind}
        providers={all}
        inUse={inUse}
        current={provider.id}
        saved={setup.data}
        onPick={(id) => {
          setChosen(id);
          setListOpen(false);
        }}
        onClose={() => setListOpen(false)}
      />
      <ProviderForm
        key={`${kind}-${provider.id}`}
        kind={kind}
        provider={provider}
        saved={setup.data}
        locked={providers.data.locked}
        inUse={provider.id === inUse}
        picked={picked}
        onChange={() => setListOpen(true)}
      />
    </div>
  );
}
