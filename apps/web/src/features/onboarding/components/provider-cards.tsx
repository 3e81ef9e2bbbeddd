import "../../../lib/settings-texts.ts";
import type { ProviderDeclaration } from "@carrel/contracts";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { findProviders } from "../../../components/provider/find-providers.ts";
import { ProviderTile } from "../../../components/provider/provider-tile.tsx";
import { SearchField } from "../../../components/ui/search-field.tsx";

/** Providers to choose from, at most 390 px high (specification 2, section 9), filtered by name. */
export function ProviderCards({
  providers,
  selected,
  onSelect,
}: {
  providers: ProviderDeclaration[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  const { t } = useTranslation(["onboarding", "settings"]);
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
            className="group/card relative flex min-h-14 cursor-pointer items-center gap-2.5 rounded-md border border-line bg-surface px-3 hover:border-strong hover:bg-hover has-checked:border-accent-solid has-checked:bg-accent-subtle has-checked:inset-ring has-checked:inset-ring-accent-solid has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:min-h-12"
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
                {t(`settings:group.${provider.group}`)}
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
