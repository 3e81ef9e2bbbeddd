import { CarrelError, type Fault } from "@carrel/contracts";

/** Headers of a navigation from another site's page. */
export const fromElsewhere = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

/** The English of the fault in the landing page's address. */
export const faultText = (query: URLSearchParams): string =>
  CarrelError.fromFault(JSON.parse(query.get("fault")!) as Fault).message;
