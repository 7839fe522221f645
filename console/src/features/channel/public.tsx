export { DisclosureSection } from './disclosure.tsx';
export { LinkPage } from './link-page.tsx';
