export { DisclosureSection } from './disclosure.tsx';
export { PublicationSection } from './publication.tsx';
export { LinkPage } from './link-page.tsx';
