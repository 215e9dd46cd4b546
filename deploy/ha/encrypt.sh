#!/bin/sh
# Certificates for the machines of a cluster, and its files changed so that all of it is encrypted:
#     sh encrypt.sh FOLDER        the one that fill.sh has written
# Called again it makes new certificates by the same authority. FOLDER/authority.key can vouch for any machine: keep it elsewhere.
set -eu
umask 077
cd "$1"

ETCD=/etc/etcd PATRONI=/etc/patroni SERVICE=/etc/kiebitz/cluster.crt # where the certificates will lie
DAYS=820

[ -e authority.key ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Authority of a Kiebitz cluster" \
    -addext "basicConstraints=critical,CA:TRUE,pathlen:0" -addext "keyUsage=critical,keyCertSign,cRLSign" \
    -keyout authority.key -out authority.crt 2>/dev/null

certify() { # of one machine: for who asks it, and for itself where it asks others
    address=$(sed -n 's|^ETCD_LISTEN_CLIENT_URLS=https*://\(.*\):.*|\1|p' "$1/etcd.env")
    printf '%s\n' "subjectAltName=IP:$address" "basicConstraints=critical,CA:FALSE" "keyUsage=critical,digitalSignature" \
        "extendedKeyUsage=serverAuth,clientAuth" "authorityKeyIdentifier=keyid" "subjectKeyIdentifier=hash" > extensions
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1/machine.key" -out request 2>/dev/null
    openssl x509 -req -in request -CA authority.crt -CAkey authority.key -CAcreateserial -days $DAYS -extfile extensions -out "$1/machine.crt" 2>/dev/null
    cp authority.crt "$1/authority.crt"
    rm request extensions
}

for machine in machine-*; do
    certify "$machine"
    ! grep -q ETCD_CERT_FILE "$machine/etcd.env" || continue
    sed -i 's|http://|https://|g' "$machine/etcd.env"
    for whose in "" PEER_; do
        printf '%s\n' "ETCD_${whose}CERT_FILE=$ETCD/machine.crt" "ETCD_${whose}KEY_FILE=$ETCD/machine.key" \
            "ETCD_${whose}TRUSTED_CA_FILE=$ETCD/authority.crt" "ETCD_${whose}CLIENT_CERT_AUTH=true"
    done >> "$machine/etcd.env"
    sed -i "
        /^restapi:/a\\  certfile: $PATRONI/machine.crt\\n  keyfile: $PATRONI/machine.key\\n  cafile: $PATRONI/authority.crt
        /^etcd3:/a\\  protocol: https\\n  cacert: $PATRONI/authority.crt\\n  cert: $PATRONI/machine.crt\\n  key: $PATRONI/machine.key
        s|^      username:.*|&\\n      sslmode: verify-ca\\n      sslrootcert: $PATRONI/authority.crt|
        s|^    unix_socket_directories:.*|&\\n    ssl: \"on\"\\n    ssl_cert_file: $PATRONI/machine.crt\\n    ssl_key_file: $PATRONI/machine.key\\n    ssl_ca_file: $PATRONI/authority.crt|
        s|^    - host |    - hostssl |
    " "$machine/patroni.yml"
    printf '\n# For patronictl.\nctl:\n  cacert: %s/authority.crt\n' $PATRONI >> "$machine/patroni.yml"
done

if ! grep -q check-ssl haproxy.cfg; then
    sed -i "s|check port|check check-ssl verify required ca-file /etc/haproxy/cluster.crt port|" haproxy.cfg
    sed -i "s|^KIEBITZ.*|&?sslmode=verify-ca\&sslrootcert=$SERVICE|" kiebitz.env
fi
