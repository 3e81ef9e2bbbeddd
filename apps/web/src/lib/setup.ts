import { getSetup, type Out } from '@carrel/contracts';
import i18next from 'i18next';
import { ApiError, call, type CallOptions } from './api.ts';

/** The instance's settings as everyone may read them. A reply that is no success throws the words that specification 1, section 8 gives it. */
export async function fetchSetup(options: CallOptions = {}): Promise<Out<typeof getSetup>> {
  try {
    return await call(getSetup, {}, options);
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) throw new ApiError(error.status, i18next.t('noSetup'));
    throw error;
  }
}
