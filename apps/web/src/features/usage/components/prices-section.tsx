import { maxModelPrices, type ModelPrice } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { pricesQuery } from "../api/prices.ts";
import { amounts } from "../state/price-form.ts";
import { Card } from "./card.tsx";
import { PriceDialog } from "./price-dialog.tsx";

const columns = ["provider", "model", ...amounts] as const;

/** Prices that replace the catalogue's; for admins. */
export function PricesSection() {
  const { t } = useTranslation("usage");
  const prices = useQuery(pricesQuery);
  const declared = useQuery(providersQuery);
  const [edited, setEdited] = useState<ModelPrice | "new" | null>(null);
  const names = new Map(
    declared.data?.providers
      .filter(({ kind }) => kind === "language" || kind === "embedding")
      .map(({ id, name }) => [id, name]),
  );
  const failed = prices.error ? prices : declared;
  return (
    <Card
      title={t("prices.title")}
      head={
        <Button
          size="sm"
          disabled={!prices.data || !declared.data || prices.data.length >= maxModelPrices}
          onClick={() => setEdited("new")}
        >
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("prices.add")}
        </Button>
      }
    >
      <p className="max-w-[80ch] text-xs text-fg-3">{t("prices.text")}</p>
      {failed.error && (
        <FailedQuery
          title={t("prices.loadFailed")}
          retryLabel={t("retry")}
          error={failed.error}
          retry={() => void failed.refetch()}
        />
      )}
      {prices.data?.length === 0 && <p className="mt-3 text-fg-2">{t("prices.none")}</p>}
      {prices.data && prices.data.length > 0 && (
        <div
          className="mt-3 overflow-x-auto"
          tabIndex={0}
          role="group"
          aria-label={t("prices.title")}
        >
          <table className="w-full text-start">
            <thead>
              <tr className="text-xs text-fg-3">
                {columns.map((column) => (
                  <th key={column} scope="col" className="py-1.5 pe-4 text-start font-medium">
                    {t(`prices.${column}`)}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {prices.data.map((price) => (
                <tr
                  key={JSON.stringify([price.provider, price.model])}
                  className="border-t border-subtle"
                >
                  <td className="py-2 pe-4">{names.get(price.provider) ?? price.provider}</td>
                  <td className="py-2 pe-4 wrap-anywhere" dir="ltr">
                    {price.model}
                  </td>
                  {amounts.map((amount) => (
                    <td key={amount} className="py-2 pe-4 tabular-nums">
                      {`$${formatNumber(price[amount], 6)}`}
                    </td>
                  ))}
                  <td className="py-2 text-end">
                    <Button
                      size="sm"
                      aria-label={t("prices.editNamed", { name: price.model })}
                      onClick={() => setEdited(price)}
                    >
                      {t("prices.edit")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== null && prices.data && (
        <PriceDialog
          price={edited === "new" ? null : edited}
          prices={prices.data}
          providers={[...names].map(([id, name]) => ({ id, name }))}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}
