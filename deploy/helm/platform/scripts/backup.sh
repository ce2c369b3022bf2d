# Dumps the databases whose URLs are set into $FOLDER/<time>: authz last, so that it has every user whom the
# other two name. A dump that was cut off keeps its name `.part`; only whole ones count when old ones go.
umask 077
# One run at a time: another may have been started by hand, and what it writes is no leftover.
exec 9> "$FOLDER/.lock"
flock 9
# A dump is named after its second, and the one before may have ended in this one.
while new="$FOLDER/$(date -u +%Y%m%dT%H%M%SZ)" && [ -e "$new" ]; do sleep 1; done
# A database that was lost and made anew is empty: its dump would be the newest, and what a restore then takes.
dump() {
  if [ -n "$2" ]; then
    tables="$(psql "$2" --no-align --tuples-only --command="SELECT count(*) FROM pg_tables
      WHERE tableowner = current_user")"
    if [ "$tables" = 0 ]; then echo "not dumped: $1 has no tables" >&2; exit 1; fi
    # A server does not take settings of a newer version, which its tools write into a dump.
    server="$(psql "$2" --no-align --tuples-only --command="SELECT current_setting('server_version_num')::int / 10000")"
    tools="$(pg_dump --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')"
    if [ "$tools" != "$server" ]; then
      echo "not dumped: $1 is on Postgres $server and backup.image has Postgres $tools; set an image of version $server" >&2
      exit 1
    fi
    pg_dump --format=custom --file="$new.part/$1.dump" "$2"
  fi
}
rm -rf "$FOLDER"/*.part
mkdir "$new.part"
dump docstore "$DOCSTORE_URL"
dump investigation "$INVESTIGATION_URL"
dump authz "$AUTHZ_URL"
mv "$new.part" "$new"
find "$FOLDER" -mindepth 1 -maxdepth 1 -name '*Z' -mtime "+$KEEP_DAYS" -exec rm -r {} +
du -sh "$new"
