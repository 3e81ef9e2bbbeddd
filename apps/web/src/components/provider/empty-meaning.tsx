import type { ProviderField } from "@carrel/contracts";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FieldHelp } from "../ui/field.tsx";
import { formatNumber } from "../../lib/format.ts";
import type { ModelListing } from "./model-field.tsx";

/** Says what applies while a field is empty that leaves it to the model's server. */
export function EmptyMeaning({
  id,
  field: { empty },
  model,
  listing,
}: {
  id: string;
  field: ProviderField;
  model: string;
  listing: ModelListing | null;
}) {
  const { t } = useTranslation("settings");
  const otherwise = empty?.otherwise;
  const asks = otherwise !== undefined && model !== "" && listing?.awaits === null;
  const load = listing?.load;
  const hasAsked = useRef(false);
  useEffect(() => {
    // Once, for what is saved: while an address is typed, it would be asked for each letter.
    if (!asks || hasAsked.current) return;
    hasAsked.current = true;
    load?.();
  }, [asks, load]);
  return (
    <FieldHelp id={id} role="status">
      {describe()}
    </FieldHelp>
  );

  function describe(): string {
    if (otherwise === undefined) return t("empty.longestAnswer");
    if (listing?.models == null) return t("empty.server");
    const found = listing.models.find((each) => each.id === model);
    const tokens = formatNumber(found?.contextWindow ?? otherwise);
    if (found?.windowSource === "server") return t("empty.found", { tokens });
    return t(found?.windowSource === "catalogue" ? "empty.catalogue" : "empty.unknown", { tokens });
  }
}
