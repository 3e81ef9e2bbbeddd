import { maxTokenPrice, type ModelPrice } from "@carrel/contracts";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast, undoing } from "../../../lib/toast.ts";
import { useSavePrices } from "../api/prices.ts";
import { amounts, faultsOf, fieldsOf, priceOf, type PriceFields } from "../state/price-form.ts";

/** Adds, changes or removes the price of a model. */
export function PriceDialog({
  price,
  prices,
  providers,
  onClose,
}: {
  price: ModelPrice | null;
  prices: ModelPrice[];
  providers: { id: string; name: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation("usage");
  const [fields, setFields] = useState(fieldsOf(price, providers[0]?.id ?? ""));
  const [submitted, setSubmitted] = useState(false);
  const save = useSavePrices();
  const others = prices.filter((each) => each !== price);
  const faults = faultsOf(fields, others);
  const set = (change: Partial<PriceFields>): void => {
    setFields({ ...fields, ...change });
    save.reset();
  };
  const store = (next: ModelPrice[], done: string): void => {
    if (save.isPending) return;
    save.mutate(next, {
      onSuccess: () => {
        toast.success(
          done,
          undoing(() => save.mutateAsync(prices)),
        );
        onClose();
      },
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSubmitted(true);
    const [first] = Object.keys(faults);
    if (first !== undefined)
      return event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    const changed = priceOf(fields);
    store(
      price === null
        ? [...prices, changed]
        : prices.map((each) => (each === price ? changed : each)),
      t("prices.saved"),
    );
  };
  const problemOf = (name: keyof PriceFields): string | null => {
    const fault = faults[name];
    return submitted && fault
      ? t(`prices.fault.${fault}`, { max: formatNumber(maxTokenPrice) })
      : null;
  };
  return (
    <Dialog open onClose={onClose} title={price?.model ?? t("prices.add")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <SelectField
          label={t("prices.provider")}
          value={fields.provider}
          onChange={(provider) => set({ provider })}
        >
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("prices.model")}
          name="model"
          dir="ltr"
          maxLength={255}
          autoComplete="off"
          value={fields.model}
          problem={problemOf("model")}
          onChange={(event) => set({ model: event.target.value })}
        />
        <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
          {amounts.map((amount) => (
            <TextField
              key={amount}
              label={t(`prices.${amount}`)}
              name={amount}
              inputMode="decimal"
              dir="ltr"
              autoComplete="off"
              value={fields[amount]}
              problem={problemOf(amount)}
              onChange={(event) => set({ [amount]: event.target.value })}
            />
          ))}
        </div>
        <FieldHelp>{t("prices.amountsHelp")}</FieldHelp>
        {save.error && <Notice kind="bad">{save.error.message}</Notice>}
        <DialogFooter>
          {price !== null && (
            <Button
              variant="danger-outline"
              className="me-auto max-md:me-0"
              disabled={save.isPending}
              onClick={() => store(others, t("prices.removed"))}
            >
              {t("prices.remove")}
            </Button>
          )}
          <Button onClick={onClose}>{t("prices.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={save.isPending}>
            {t("prices.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
