import type { ProviderDeclaration } from "@carrel/contracts";
import { CircleCheck, KeyRound, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSaved, tileOf, type ProviderKind } from "../state/provider-form.ts";

const groups = ["builtin", "local", "hosted"] as const;

/** Providers: the current one first, then grouped by where the data goes. */
export function ProviderList({
  kind,
  providers,
  inUse,
  current,
  saved,
  onPick,
  onClose,
}: {
  kind: ProviderKind;
  providers: ProviderDeclaration[];
  inUse: string;
  current: string;
  saved: Record<string, unknown>;
  onPick: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("settings");
  const [term, setTerm] = useState("");
  const found = providers.filter((provider) =>
    provider.name.toLowerCase().includes(term.trim().toLowerCase()),
  );
  const row = (provider: ProviderDeclaration) => {
    const active = provider.id === inUse;
    const hasKey = provider.fields.some((field) => isSaved(field, saved));
    return (
      <button
        type="button"
        className="prov"
        key={provider.id}
        aria-current={provider.id === current ? "true" : undefined}
        onClick={() => onPick(provider.id)}
      >
        <span className="tile" aria-hidden="true">
          {tileOf(provider.name)}
        </span>
        <span className="med cut">{provider.name}</span>
        {active ? (
          <span className="end ok">
            <CircleCheck className="i sm" aria-hidden="true" />
            {t("inUse")}
          </span>
        ) : hasKey ? (
          <span className="end">
            <KeyRound className="i sm" aria-hidden="true" />
            {t("keySaved")}
          </span>
        ) : null}
      </button>
    );
  };
  return (
    <section className="set-list" aria-label={t(`list.${kind}`)}>
      <div className="set-filter phone-only fl">
        <span className="grow med">{t(`list.${kind}`)}</span>
        <button type="button" className="btn quiet" onClick={onClose}>
          {t("close")}
        </button>
      </div>
      <div className="set-filter">
        <label className="field-sm wide">
          <Search className="i sm" aria-hidden="true" />
          <input
            type="search"
            value={term}
            placeholder={t("searchProviders", { count: providers.length })}
            aria-label={t("searchProvidersLabel")}
            onChange={(event) => setTerm(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && found[0]) {
                event.preventDefault();
                onPick(found[0].id);
              }
            }}
          />
        </label>
      </div>
      <div className="rows">
        {found.length === 0 && (
          <p className="t3 p-2" role="status">
            {t("noProvider", { term: term.trim() })}
          </p>
        )}
        {groups.map((group) => {
          const members = found.filter((provider) => provider.group === group);
          return (
            members.length > 0 && (
              <div key={group} role="group" aria-label={t(`group.${group}`)}>
                <div className="grp">
                  <span>{t(`group.${group}`)}</span>
                </div>
                {members.map(row)}
              </div>
            )
          );
        })}
      </div>
    </section>
  );
}
