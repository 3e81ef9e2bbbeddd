import { getModelPrices, setModelPrices, type ModelPrice } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

const priceKeys = { list: ["usage", "prices"] } as const;

/** Prices that replace the catalogue's. */
export const pricesQuery = queryOptions({
  queryKey: priceKeys.list,
  queryFn: ({ signal }) => call(getModelPrices, {}, { signal }),
  select: (reply) => reply.prices,
});

/** Saves all prices at once. */
export const useSavePrices = () =>
  useMutation({
    mutationFn: (prices: ModelPrice[]) => call(setModelPrices, { prices }),
    meta: { invalidates: [priceKeys.list], errorToast: false },
  });
