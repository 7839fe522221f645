export { InstallButton } from './install-button.tsx';
export { CannotInstall, InstallSteps } from './install-steps.tsx';
