import { createFileRoute } from '@tanstack/react-router';
import { AppearanceSettings } from '../features/settings/components/appearance-settings.tsx';
import { SettingsFrame } from './-settings-frame.tsx';

export const Route = createFileRoute('/settings/appearance')({ component: () => <SettingsFrame page="appearance"><AppearanceSettings /></SettingsFrame> });
