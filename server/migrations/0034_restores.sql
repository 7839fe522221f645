-- Part of what signs the addresses of files. A restore changes it, so that addresses from before do not work any more.
alter table installation add column link_salt uuid;
