import { useTranslation } from 'react-i18next';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { chooseTheme, useThemeChoice } from '../../../lib/theme.ts';

/** The theme; it changes as it is chosen. */
export function AppearanceSettings() {
  const { t } = useTranslation('settings');
  const choice = useThemeChoice();
  return (
    <div className="set-body">
      <div className="form">
        <div className="field">
          <span className="lbl">{t('theme')}</span>
          <div><Segmented label={t('theme')} value={choice} onChange={chooseTheme} options={[{ value: 'system', label: t('themeSystem') }, { value: 'default', label: t('themeDark') }, { value: 'light', label: t('themeLight') }]} /></div>
          <p className="help">{t('themeHelp')}</p>
        </div>
      </div>
    </div>
  );
}
